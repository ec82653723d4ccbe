// The time of day of this process differs by so many milliseconds; lengths of time do not.
const ms = Number(process.env.ROOST_TEST_OTHER_TIME_MS);
const { now } = Date;
const Right = Date;
globalThis.Date = class extends Right {
  constructor(...args) {
    if (args.length === 0) super(now() + ms);
    else super(...args);
  }

  static now() {
    return now() + ms;
  }
};
