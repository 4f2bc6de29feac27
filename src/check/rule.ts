/**
 * What a rule is. It sees events of the program as it is followed (flow/events.ts), and says which
 * of them it is about. Its words are in rules/words.md.
 */
import type { Edit } from './edits'
import type { At, EventName, Events } from './flow/events'
import type { Value } from './flow/values'
import text from './rules/words.md?raw'

/** Where a step's time goes if the line matters. */
export const KINDS = ['blocks', 'copies', 'launches', 'loads', 'measures', 'ranks'] as const
export type Kind = (typeof KINDS)[number]

export interface Seen {
  readonly node: { readonly from: number; readonly to: number }
  /**
   * It is a finding if this lies on the GPU, a question where nobody knows, and nothing on the CPU.
   */
  readonly ifOnGpu?: Value
  /** The expression whose place the question is about. */
  readonly asked?: { readonly from: number; readonly to: number }
  /** What must be answered before it is a finding, where that is no tensor's place. */
  readonly asks?: string
  readonly fix?: readonly Edit[]
}

export type Listeners = {
  readonly [Name in EventName]?: (event: Events[Name], at: At) => Seen | null
}

interface Listening extends Listeners {
  /** Left out: every step of a training loop, or of inference where the file does not train. */
  readonly heat?: 'evaluate' | 'any'
}

export interface Rule extends Listening {
  readonly id: string
  readonly kind: Kind
  /** What happens on the line, in a few words. */
  readonly title: string
  /** One sentence. */
  readonly why: string
  /** When the line is fine; WAIT_IS_FREE where a wait has no exception of its own. */
  readonly unless: string
  /** What to write instead. */
  readonly instead: string
  /**
   * The profile's name of the cause (analysis/replay/causes.ts). Lessons and predictions are found
   * by it.
   */
  readonly cause: string
  readonly sources: readonly string[]
}

/** A page and a terminal say it once, above the findings. */
export const WAIT_IS_FREE = 'A wait costs time only if the host has work to do after it.'

const SECTION = /^## (.+?): (.+)\n\n(.+)\n\n(?:(.+)\n\n)?Instead: (.+)\n\n(\w+), (\S+):\n\n((?:- <.+>\n)+)/gm
const sections = new Map([...text.matchAll(SECTION)].map((section) => [section[1], section]))

/** The rules of these names, with their words. */
export const rulesOf = (rules: Readonly<Record<string, Listening>>): readonly Rule[] =>
  Object.entries(rules).map(([id, listening]) => {
    const [, , title = '', why = '', unless = WAIT_IS_FREE, instead = '', name, cause = '', list = ''] =
      sections.get(id) ?? []
    const kind = KINDS.find((each) => each === name)
    if (!kind) throw new Error(`words.md does not say of which kind the rule '${id}' is.`)
    if (unless === WAIT_IS_FREE && kind !== 'blocks')
      throw new Error(`words.md does not say when the rule '${id}' is fine, which is about no wait.`)
    const sources = [...list.matchAll(/<(.+)>/g)].map(([, source = '']) => source)
    return { id, kind, title, why, unless, instead, cause, sources, ...listening }
  })
