/** Thrown if another process serves the embedded database. */
export class DatabaseTaken extends Error {
  override readonly name = 'DatabaseTaken';
}

/** Thrown if work that runs once at a time is running already. */
export class WorkTaken extends Error {
  override readonly name = 'WorkTaken';
}
