/**
 * What the names in a file of words stand for: those of the figures.ts beside it, words of the
 * experiment ('$often'), and conditions that each run has.
 */
import type { Condition } from '../../src/text/condition'
import * as conditions from '../../src/text/define-conditions'
import type { AllEvidence, Evidence } from '../../src/text/define-evidence'
import { word, type Figures, type Named, type Source } from '../../src/text/define-figures'
import type { Quotation } from '../../src/text/figure'
import { figuresIn, quotationsIn } from '../../src/text/recorded'
import { BROWSER, FORMATS, type Quoted } from '../../src/text/template'

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

/** Each throws where there is no such name. */
export interface Names {
  /** 'slower', 'not slower' */
  readonly condition: (text: string) => Condition
  /** 'timesAsLong', 'step every-4', 'slowdown $often as times', '$often' */
  readonly quoted: (name: string) => Quoted
  /** Throws where no evidence has this name. */
  readonly evidence: (name: string) => Evidence
  /** What it quotes of recordings; nothing of what is no name. */
  readonly quotationsOf: (name: string) => readonly Quotation[]
}

const isCondition = (named: Named): named is Condition => 'op' in named
/** A figure to work with is quoted as it is. */
const quotedOf = (named: Exclude<Named, Condition>): Quoted =>
  'word' in named
    ? named
    : { figure: named.figure, ...('as' in named && typeof named.as === 'string' ? { as: named.as } : {}) }

/** What a figures.ts exports: besides, metrics and recordings, which words name with what is wanted of them. */
export interface Defined {
  readonly figures: Figures
  readonly evidence?: AllEvidence
  readonly [source: string]: unknown
}

const sourcesOf = (defined: Defined): Readonly<Record<string, Source>> =>
  Object.fromEntries(
    Object.entries(defined).flatMap(([name, each]) =>
      typeof each === 'function' ? [[name, each as Source]] : [],
    ),
  )

/** 'step never', 'torch points[n=64].oneMs as us' */
function fromSource(sources: Readonly<Record<string, Source>>, text: string): Named | undefined {
  const [, said = '', as] = /^(.+?)(?: as (\S+))?$/.exec(text) ?? []
  const [name = '', ...given] = said.split(' ')
  const made = Object.hasOwn(sources, name) ? sources[name]?.(...given) : undefined
  if (!made || as === undefined) return made
  const format = FORMATS.find((each) => each === as)
  if (!format) throw new Error(`'${as}' is no format: ${FORMATS.join(', ')}.`)
  return { figure: made.figure, as: format }
}

export function namesOf(defined: Defined): Names {
  const { figures, evidence = {} } = defined
  const sources = sourcesOf(defined)
  const find = (name: string): Named | undefined => {
    if (name.startsWith('$')) return word(name.slice(1))
    const group = [figures, OF_EACH_RUN].find((some) => Object.hasOwn(some, name))
    return group ? group[name] : fromSource(sources, name)
  }
  const condition = (text: string): Condition => {
    if (text === 'not shown')
      throw new Error("'not shown' leaves open whether the run decided: name 'notShown', or that and more.")
    if (text.startsWith('not ')) return conditions.not(condition(text.slice('not '.length)))
    const found = find(text)
    if (!found || !isCondition(found)) throw new Error(`'${text}' is no condition of figures.ts.`)
    return found
  }
  return {
    condition,
    quoted: (name) => {
      const found = find(name)
      if (!found || isCondition(found)) throw new Error(`'${name}' is no figure of figures.ts.`)
      return quotedOf(found)
    },
    evidence: (name) => {
      const found = evidence[name]
      if (!found) throw new Error(`'${name}' is no evidence of figures.ts.`)
      return found
    },
    quotationsOf: (name) => quotationsOf(find(name)),
  }
}

/** Of files that name nothing. */
export const NO_NAMES = namesOf({ figures: {} })

function quotationsOf(named: Named | undefined): readonly Quotation[] {
  const figures = !named || 'word' in named ? [] : isCondition(named) ? figuresIn(named) : [named.figure]
  return figures.flatMap(quotationsIn)
}

/** The figures that evidence rests on; form.test evaluates them. @public */
export const evidenceFigures = (evidence: Evidence) =>
  evidence.kind === 'pair' ? evidence.figures : [evidence.whole, ...evidence.parts]

/** The recordings that a figures.ts quotes. */
export const filesQuoted = (defined: Defined): readonly string[] =>
  [
    ...Object.values(defined.figures).flatMap(quotationsOf),
    ...Object.values(sourcesOf(defined)).flatMap((source) => quotationsOf(source())),
    ...Object.values(defined.evidence ?? {})
      .flatMap(evidenceFigures)
      .flatMap(quotationsIn),
  ].map(({ file }) => file)

/**
 * Names stand in braces, behind 'when' in the heading of a rule, and as `figure` in front matter.
 */
const NAMING = /\{[^{}]*\}|^### .* when .*|^ *figure: .*/gm

/** Every word that may be a name, in the order of the text. */
export const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(NAMING)].flatMap(([found]) => found.match(/\w+/g) ?? [])

/** Those of which no text says anything. */
export function unsaid(defined: Defined, texts: readonly string[]): readonly string[] {
  const said = new Set(texts.flatMap(namesIn))
  const { figures, evidence } = defined
  return Object.keys({ ...figures, ...evidence, ...sourcesOf(defined) }).filter((name) => !said.has(name))
}
