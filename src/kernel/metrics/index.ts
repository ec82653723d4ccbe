import { performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The counters and histograms of one server, in Prometheus' text format. */
export interface Metrics {
  /** The counter of a name, the same each time. */
  counter(name: string, help: string, labels?: readonly string[]): Counter;
  gauge(name: string, help: string, read: () => number): void;
  /** Gauges that are read together, once for each scrape; what cannot be read now shows as NaN. */
  gauges<N extends string>(helps: Readonly<Record<N, string>>, read: () => Promise<Readonly<Record<N, number>>>): void;
  histogram(name: string, help: string, labels?: readonly string[], buckets?: number[]): Histogram;
  /** Everything measured, as text for a scraper. */
  text(): Promise<string>;
}

/** Milliseconds, the longest that a timer takes. */
const NEVER = 2 ** 31 - 1;

/** Opens an empty set of metrics with the process's own (memory, event loop) among them. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counters = new Map<string, Counter>();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER });
  countBusySeconds(registry);
  return {
    counter: (name, help, labels = []) => {
      const counter = counters.get(name) ?? new Counter({ name, help, labelNames: [...labels], registers });
      counters.set(name, counter);
      return counter;
    },
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    gauges: (helps, read) => {
      let reading: ReturnType<typeof read> | undefined;
      const together = () => (reading ??= read().finally(() => (reading = undefined)));
      for (const name in helps) {
        new Gauge({
          name,
          help: helps[name],
          registers,
          async collect() {
            this.set(
              await together().then(
                (values) => values[name],
                () => Number.NaN,
              ),
            );
          },
        });
      }
    },
    histogram: (name, help, labels = [], buckets = [0.001, 0.005, 0.02, 0.1, 0.5, 2]) =>
      new Histogram({ name, help, labelNames: [...labels], buckets, registers }),
    text: () => registry.metrics(),
  };
}

/**
 * Replaces the package's own look at the event loop: its timer woke a server that had nothing to do a hundred times a
 * second, which took one hundredth of a core. Node counts the busy time anyway.
 */
function countBusySeconds(registry: Registry): void {
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag')) registry.removeSingleMetric(name);
  new Counter({
    name: 'roost_event_loop_busy_seconds_total',
    help: 'Time in which the event loop did not wait',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}
