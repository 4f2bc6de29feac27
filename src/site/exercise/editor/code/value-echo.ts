/**
 * An editor and what keeps its text: each change goes out, and comes back as the value a moment later. Such an echo must never be taken
 * for a change from outside, or it would undo what was typed meanwhile.
 */
export interface ValueEcho {
  /** The editor has passed this text out. */
  readonly passedOut: (text: string) => void
  /** Whether `value` came from elsewhere and is to be shown instead of `shown`. */
  readonly isForeign: (value: string, shown: string) => boolean
}

export function createValueEcho(): ValueEcho {
  let underWay: string[] = []
  return {
    passedOut: (text) => {
      underWay.push(text)
    },
    isForeign: (value, shown) => {
      if (value === shown) {
        underWay = []
        return false
      }
      const at = underWay.lastIndexOf(value)
      underWay = underWay.slice(at + 1)
      if (at === -1) underWay = []
      return at === -1
    },
  }
}
