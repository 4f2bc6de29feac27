/**
 * Variants as objects: an experiment lists all that it can have, with what tells one from the others. Traces and reports hold their ids
 * alone, by which they are found again. Pure.
 */

export interface Variant {
  /** In traces and reports: it stays. */
  readonly id: string
  /** Which of the experiment's programs it runs, without '.js'; its own id where left out. */
  readonly program?: string
  /** What a lesson calls it, where its id is a code: 'the ring with 4 MiB'. */
  readonly words?: string
}

/** Null for what is no variant of these: a place of a metric, or a variant of another version. */
export function byId<V extends Variant>(all: readonly V[]): (id: string) => V | null {
  const found = new Map(all.map((each) => [each.id, each]))
  return (id) => found.get(id) ?? null
}
