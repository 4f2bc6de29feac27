/**
 * What the names in a file of words stand for: those of the figures.ts beside it, and conditions
 * that each run has.
 */
import type { Condition } from '../../src/text/condition'
import * as conditions from '../../src/text/define-figures'
import {
  word,
  type Figures,
  type Named,
  type AllEvidence,
  type Evidence,
} from '../../src/text/define-figures'
import { figuresIn, quotationsIn } from '../../src/text/recorded'
import { BROWSER, type Quoted } from '../../src/text/template'

const { ran, recorded, software, timestamps, shown, notShown, inconclusive } = conditions
const OF_EACH_RUN: Figures = {
  ran,
  recorded,
  software,
  timestamps,
  shown,
  notShown,
  inconclusive,
  [BROWSER]: word(BROWSER),
}

export type Names = ReturnType<typeof namesOf>

const isCondition = (named: Named): named is Condition => 'op' in named
/** A figure to work with is quoted as it is. */
const quotedOf = (named: Exclude<Named, Condition>): Quoted =>
  'word' in named
    ? named
    : { figure: named.figure, ...('as' in named && typeof named.as === 'string' ? { as: named.as } : {}) }

/** What a figures.ts exports. */
export interface Defined {
  readonly figures: Figures
  readonly evidence?: AllEvidence
}

/** What the names of a file stand for. Each throws where there is no such name. */
export function namesOf({ figures, evidence = {} }: Defined) {
  const find = (name: string): Named | undefined =>
    [figures, OF_EACH_RUN].find((some) => Object.hasOwn(some, name))?.[name]
  const condition = (text: string): Condition => {
    if (text === 'not shown')
      throw new Error("'not shown' leaves open whether the run decided: name 'notShown', or that and more.")
    if (text.startsWith('not ')) return conditions.not(condition(text.slice('not '.length)))
    const found = find(text)
    if (!found || !isCondition(found)) throw new Error(`'${text}' is no condition of figures.ts.`)
    return found
  }
  return {
    /** 'slower', 'not slower' */
    condition,
    quoted: (name: string): Quoted => {
      const found = find(name)
      if (!found || isCondition(found)) throw new Error(`'${name}' is no figure of figures.ts.`)
      return quotedOf(found)
    },
    /** '$often' where the label is the name of a word, else the label. */
    label: (text: string): string => {
      const found = find(text)
      return found && 'word' in found ? `$${found.word}` : text
    },
    /** Throws where no evidence has this name. */
    evidence: (name: string): Evidence => {
      const found = evidence[name]
      if (!found) throw new Error(`'${name}' is no evidence of figures.ts.`)
      return found
    },
    /** The recordings that it quotes; none of what is no name. */
    filesOf: (name: string) => filesOf(find(name)),
  }
}

function filesOf(named: Named | undefined): readonly string[] {
  const figures = !named || 'word' in named ? [] : isCondition(named) ? figuresIn(named) : [named.figure]
  return figures.flatMap(quotationsIn).map(({ file }) => file)
}

/** The figures that evidence rests on; form.test evaluates them. @public */
export const evidenceFigures = (evidence: Evidence) =>
  evidence.kind === 'pair' ? evidence.figures : [evidence.whole, ...evidence.parts]

/** The recordings that a figures.ts quotes. */
export const filesQuoted = ({ figures, evidence = {} }: Defined): readonly string[] => [
  ...Object.values(figures).flatMap(filesOf),
  ...Object.values(evidence)
    .flatMap(evidenceFigures)
    .flatMap(quotationsIn)
    .map(({ file }) => file),
]

/**
 * Names stand in braces, behind 'when' in the heading of a rule, and as `figure` in front matter.
 */
const NAMING = /\{[^{}]*\}|^### .* when .*|^ *figure: .*/gm

/** Every word that may be a name, in the order of the text. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(NAMING)].flatMap(([found]) => found.match(/\w+/g) ?? [])

/** Those of which no text says anything. */
export function unsaid({ figures, evidence = {} }: Defined, texts: readonly string[]): readonly string[] {
  const said = new Set(texts.flatMap(namesIn))
  return Object.keys({ ...figures, ...evidence }).filter((name) => !said.has(name))
}
