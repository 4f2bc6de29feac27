/**
 * Starts work that nobody awaits. What it may rightly meet it handles itself; a bug in it is
 * reported as the browser reports any other.
 */
export function inBackground(work: Promise<unknown>): void {
  work.catch((bug: unknown) => reportError(bug))
}
