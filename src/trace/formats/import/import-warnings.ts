/**
 * What an import leaves out, by reason, with the first event that it happened to: nothing is
 * dropped unsaid.
 */
export interface ImportWarning {
  readonly reason: string
  /** Events; null where the file does not let them be counted. */
  readonly count: number | null
  /** The first of them: its index among the file's events and the byte it begins at. */
  readonly firstEvent: number
  readonly firstByte: number
}

/** The reason of a file that is cut. */
export const ENDS_HERE = 'the file ends here: what came after is lost'

export class ImportWarnings {
  readonly #byReason = new Map<string, { count: number | null; firstEvent: number; firstByte: number }>()

  add(reason: string, firstEvent: number, firstByte: number, count: number | null = 1): void {
    const known = this.#byReason.get(reason)
    if (!known) this.#byReason.set(reason, { count, firstEvent, firstByte })
    else known.count = known.count === null || count === null ? null : known.count + count
  }

  list(): readonly ImportWarning[] {
    return Array.from(this.#byReason, ([reason, rest]) => ({ reason, ...rest }))
  }
}
