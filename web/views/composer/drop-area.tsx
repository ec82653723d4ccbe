import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../words/index.ts';

interface DropAreaProps {
  readonly name: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ComponentChildren;
}

/** Attaches files that are dropped anywhere on the page's main area. */
export function DropArea({ name, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const sheet = document.querySelector('main');
    if (!sheet) return;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const stop = new AbortController();
    const on = (type: 'dragover' | 'dragleave' | 'drop', run: (event: DragEvent) => void) =>
      sheet.addEventListener(type, run, { signal: stop.signal });
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', (event) => {
      if (!(event.relatedTarget instanceof Node && sheet.contains(event.relatedTarget))) setOver(false);
    });
    on('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      latest.current([...(event.dataTransfer?.files ?? [])]);
    });
    return () => stop.abort();
  }, []);
  return (
    <>
      {isOver && (
        <p class="drop-note" role="status">
          {t('compose.drop', { name })}
        </p>
      )}
      {children}
    </>
  );
}
