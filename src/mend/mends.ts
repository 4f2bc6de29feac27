/** Every lesson's mend: the folder `lessons/<id>/mend/`, loaded when it is wanted. */
import type { Check, Evidence, MendFigure, ProgramReport } from './types'
import type { MendWords } from './words'

/** `lessons/<id>/mend/checks.ts`. */
export interface MendRules {
  readonly experiment: string
  readonly language: 'javascript' | 'wgsl'
  /** The one number that the mend is about, and what it was in a program's runs; null where it could not be measured. */
  readonly figure: MendFigure & { readonly of: (report: ProgramReport) => number | null }
  /** What a mend of this lesson must do, beyond ending, finishing and a sound clock. */
  readonly checks: (evidence: Evidence) => readonly Check[]
}

export interface Mend extends MendRules {
  readonly lesson: string
  readonly start: string
  readonly reference: string
  readonly words: MendWords
}

const rules = import.meta.glob<MendRules>('../lessons/*/mend/checks.ts', { import: 'rules' })
const texts = import.meta.glob<string>('../lessons/*/mend/{start,reference}.{js,wgsl}', {
  query: '?raw',
  import: 'default',
})

const words = import.meta.glob<MendWords>('../lessons/*/mend/mend.md', { import: 'words' })

const idOf = (path: string): string => /lessons\/([^/]+)\//.exec(path)?.[1] ?? ''

/** @throws Error where the lesson has none. */
export async function mendOf(lesson: string): Promise<Mend> {
  const loadRules = rules[`../lessons/${lesson}/mend/checks.ts`]
  const textOf = async (name: string): Promise<string> => {
    const [load] = Object.entries(texts).flatMap(([path, each]) =>
      idOf(path) === lesson && path.includes(`/mend/${name}.`) ? [each] : [],
    )
    if (!load) throw new Error(`The mend of '${lesson}' has no ${name}.`)
    return await load()
  }
  const loadWords = words[`../lessons/${lesson}/mend/mend.md`]
  if (!loadRules || !loadWords) throw new Error(`The lesson '${lesson}' has no mend.`)
  const [own, start, reference, text] = await Promise.all([
    loadRules(),
    textOf('start'),
    textOf('reference'),
    loadWords(),
  ])
  return { lesson, ...own, start, reference, words: text }
}
