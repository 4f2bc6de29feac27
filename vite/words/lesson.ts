/**
 * `lesson.md` as the data of src/lessons/lesson.ts. src/lessons/README.md shows the format: front
 * matter; the introduction; then the sections of its kind (SECTIONS), once each. With `profiles` in
 * the front matter it is of profiles, else of an experiment. Conditions and figures in its words
 * are those of text.ts. A file that breaks a rule throws a WordsFault with its line, and the site
 * is not built.
 */
import * as v from 'valibot'
import { parse as parseYaml } from 'yaml'
import {
  misconceptions,
  NO_LINE,
  type Asked,
  type ExperimentWords,
  type LessonFile,
  type LessonStep,
  type LessonWords,
  type Misconception,
  type PyTorchFigure,
  type Question,
  type QuizItem,
  type QuizOption,
  type SliderOf,
  type StepGuess,
  type Suspect,
} from '../../src/lessons/lesson'
import { plain } from '../../src/base/figures'
import type { Passage } from '../../src/text/template'
import { quotationsIn, quoteOf, type RecordedOrigin, type Recordings } from '../../src/text/recorded'
import { say } from '../../src/text/wording'
import {
  failIn,
  itemsOf,
  namedHeading,
  namedParts,
  partsOf,
  readBlocks,
  sectionsOf,
  type Block,
  type Fail,
  type Part,
  type Text,
} from './blocks'
import { readAt, TextReader } from './text'
import { values as parameters, type FrontMatter, type Values } from './front-matter'
import { readHead, type AskedHead, type QuestionHead } from './lesson-heads'
import { cardsOf, cutOf } from './cards'
import { namesIn, type Names } from './named'

const SECTIONS = {
  experiment: ['Answer', 'Steps', 'In PyTorch', 'Cannot', 'Quiz', 'Try next', 'Sources'],
  profiles: ['What happened', 'Lines', 'In PyTorch', 'Cannot', 'Quiz', 'Sources'],
} as const
type Section = (typeof SECTIONS)[keyof typeof SECTIONS][number]

type Item = Extract<Block, { readonly type: 'item' }>

/** `[Label](run {steps: 8})` and what follows it. */
function runLink({ text, line }: Text, fail: Fail): { label: string; values: Values; rest: string } | null {
  const [, label, yaml, rest = ''] = /^\[([^[\]]+)\]\(run(?: (\{.*?\}))?\)\s*(.*)$/.exec(text) ?? []
  if (label === undefined) return null
  if (yaml === undefined) return { label, values: {}, rest }
  let values: unknown
  try {
    values = parseYaml(yaml)
  } catch {
    return fail(line, `'${yaml}' is no YAML.`)
  }
  return v.is(parameters, values) ? { label, values, rest } : fail(line, `'${yaml}' holds no parameters.`)
}

/** What its words are read with: one for a file. */
interface Reader {
  readonly fail: Fail
  readonly read: TextReader
  readonly names: Names
  readonly recordings: Recordings
  /** The recording of the lesson's own run. */
  readonly own: string
}

/** 'stall-ms every-step'; a metric of the whole run has no variant. */
function metricOf(text: string): { readonly name: string; readonly variant: string } {
  const [name = '', variant = ''] = text.trim().split(' ')
  return { name, variant }
}

/** 'from 1 to 64 ×', in doublings, or 'from 0 to 100 %'. */
function sliderOf(text: string, refuse: (message: string) => never): SliderOf {
  const [, low, high, unit] = /^from ([\d.]+) to ([\d.]+) ([×%])$/.exec(text) ?? []
  const [min, max] = [Number(low), Number(high)]
  if (unit === undefined || !(min < max)) refuse(`A guess of how much reads 'from 1 to 64 ×', not '${text}'.`)
  if (unit === '%') return { unit, min, max, step: 1, scale: 100 }
  if (![min, max].every((end) => Number.isInteger(Math.log2(end))))
    refuse('A factor goes from power of two to power of two.')
  return { unit: '×', min, max, step: 0.25, doublings: true, scale: 1 }
}

/**
 * 'step-ms serial: Is a step longer? longer / as long / shorter'; 'step-ms ring than step-ms
 * serial: …' compares within the run; 'slowdown serial, from 1 to 64 ×: How many times …?' asks
 * how much, and has no answers.
 */
function guessOf(
  text: string,
  words: (text: string) => string,
  refuse: (message: string) => never,
): StepGuess {
  const [, of = '', question = '', said = ''] = /^(.+?): (.+\?)(?: ([^?]+))?$/.exec(text) ?? []
  if (question === '') refuse(`A guess ends in its question: '${text}: Is a step longer?'.`)
  const [asked = '', slider] = of.split(', ')
  const [figure = '', than] = asked.split(' than ')
  const guess = {
    ...metricOf(figure),
    question: words(question),
    ...(than === undefined ? {} : { than: metricOf(than) }),
  }
  if (slider !== undefined) {
    if (said !== '') refuse(`A slider answers '${question}', no '${said}'.`)
    return { ...guess, slider: sliderOf(slider, refuse) }
  }
  const [more, same, less, other] = said.split(' / ')
  if (more === undefined || same === undefined || less === undefined || other !== undefined)
    refuse(`A guess has three answers: '${question} longer / about as long / shorter'.`)
  return { ...guess, answers: { more, same, less } }
}

/** A paragraph of a step that is no words: '{compare step-ms serial}'. */
const DIRECTIVE = /^\{(?:(guess|compare|before) (.*)|(chart) ([a-z0-9-]+))\}$/

function stepOf({ heading, blocks }: Part, reader: Reader): LessonStep {
  const { fail, read } = reader
  const text: Passage[number][] = []
  const lookFor: Passage[number][] = []
  const compare: LessonStep['compare'][number][] = []
  const more: { -readonly [Name in 'action' | 'guess' | 'show' | 'before' | 'chart']?: LessonStep[Name] } = {}
  let guessLine = heading.line
  for (const block of blocks) {
    const { line } = block
    if (block.type === 'quote') {
      lookFor.push(read.text(block.lines))
      continue
    }
    if (block.type !== 'paragraph') return fail(line, 'A step has paragraphs, one run and quotes.')
    const [, directive, of = '', chart, figure = ''] = DIRECTIVE.exec(block.text) ?? []
    const cut = cutOf(block.text)
    const link = runLink(block, fail)
    if (directive === 'guess') {
      if (more.guess) fail(line, 'A step asks for one guess.')
      more.guess = guessOf(
        of,
        (words) => read.words({ text: words, line }),
        (message) => fail(line, message),
      )
      guessLine = line
    } else if (directive === 'compare') compare.push(...of.split(', ').map(metricOf))
    else if (directive === 'before') {
      more.before = of === 'none' ? [] : of.split(', ')
      if (of !== 'none' && more.before.length !== more.show?.variants.length)
        fail(line, 'Below {show …}, {before …} names as many variants of the run before.')
    } else if (chart !== undefined) more.chart = figure
    else if (cut) more.show = cut
    else if (!link) text.push(read.text(block.lines))
    else if (more.action || link.rest !== '') fail(line, 'A step has one run, in a paragraph of its own.')
    else {
      // A step that sets one parameter is about that one.
      const [dial, ...others] = Object.keys(link.values)
      more.action = {
        label: link.label,
        values: link.values,
        run: true,
        ...(dial !== undefined && others.length === 0 ? { dial } : {}),
      }
    }
  }
  const { guess } = more
  if (text.length === 0) fail(heading.line, 'A step has at least one paragraph.')
  if (guess && !more.action) fail(guessLine, 'Only a step that runs asks for a guess.')
  for (const { name, variant } of guess ? [guess, ...(guess.than ? [guess.than] : [])] : [])
    if (!compare.some((each) => each.name === name && each.variant === variant))
      fail(
        guessLine,
        `What is guessed is among the figures of {compare …}: '${`${name} ${variant}`.trim()}' is not.`,
      )
  return {
    ...namedHeading(heading, fail),
    text,
    compare,
    ...more,
    ...(lookFor.length > 0 ? { lookFor } : {}),
  }
}

const isMisconception = (key: string): key is Misconception => Object.hasOwn(misconceptions, key)

/** '- [x] An option. (M1)' with its explanation indented below. */
function optionOf({ paragraphs: [first, ...explanation], line }: Item, { fail, read }: Reader): QuizOption {
  const [, mark, text, key] = /^\[([ x])\] (.*?)(?: \((M\d+)\))?$/.exec(first?.text ?? '') ?? []
  if (mark === undefined || text === undefined) return fail(line, 'An option begins with [ ] or [x].')
  if (explanation.length === 0) return fail(line, 'An option has an explanation, indented below it.')
  if (key !== undefined && !isMisconception(key)) return fail(line, `There is no misconception ${key}.`)
  return {
    text: read.line({ text, line }),
    correct: mark === 'x',
    explanation: explanation.map(({ lines }) => read.text(lines)),
    ...(key !== undefined ? { misconception: key } : {}),
  }
}

/** '{premise slower} Why …?'; '… of LESSON/STEP}' names the recording that is asked about else. */
function quizItemOf({ heading, blocks }: Part, reader: Reader): QuizItem {
  const { fail, read, recordings } = reader
  const [question, ...options] = blocks
  if (question?.type !== 'paragraph')
    return fail(heading.line, 'A question is a paragraph, then its options.')
  if (!/^[a-z0-9-]+$/.test(heading.text)) return fail(heading.line, `'${heading.text}' is no id.`)
  const [, premise, file = reader.own, asked = question.text] =
    /^\{premise (.*?)(?: of ([a-z0-9-]+(?:\/[a-z0-9-]+)?))?\}\s*(.*)$/.exec(question.text) ?? []
  const { line } = question
  const item = {
    id: heading.text,
    question: read.line({ text: asked, line }),
    options: options.map((block) =>
      block.type === 'item' ? optionOf(block, reader) : fail(block.line, 'Only options can stand here.'),
    ),
  }
  if (premise === undefined) return item
  const when = read.condition(premise, line)
  const facts = readAt(line, fail, () => recordings.facts(file))
  return {
    ...item,
    premise: { when, recorded: { ...readAt(line, fail, () => recordings.origin(file)), facts } },
  }
}

function tryNextOf(text: Text, { fail, read }: Reader): ExperimentWords['tryNext'][number] {
  const link = runLink(text, fail)
  if (!link || link.rest === '') return fail(text.line, 'An item here reads: [Label](run {…}) and why.')
  return { label: link.label, values: link.values, why: read.words({ text: link.rest, line: text.line }) }
}

function sourceOf({ text, line }: Text, fail: Fail): LessonWords['sources'][number] {
  const [, label, url] = /^\[([^[\]]+)\]\((\S+)\)$/.exec(text) ?? []
  return label === undefined || url === undefined
    ? fail(line, 'A source reads: [Label](address).')
    : { label, url }
}

/** A field of the front matter by its path, with its line. */
type Lines = FrontMatter<unknown>['lineOf']

function questionOf(head: QuestionHead, at: readonly string[], lineOf: Lines, { read }: Reader): Question {
  const { question, unit, range, step, axis, start, scale, ends, result } = head
  const words = (name: string, text: string) => read.words({ text, line: lineOf(...at, name) })
  const [min, max] = range
  return {
    question: words('question', question),
    unit,
    min,
    max,
    step,
    ...(axis ? { doublings: true } : {}),
    start,
    scale,
    ends,
    result: words('result', result),
  }
}

/** PyTorch's figure beside the lesson's own, in its unit. */
function pytorchOf(
  { figure: name, words }: NonNullable<AskedHead['pytorch']>,
  { unit: askedUnit, scale }: Question,
  line: (name: string) => number,
  { fail, read, names, recordings }: Reader,
): PyTorchFigure {
  const { value, unit, file } = readAt(line('figure'), fail, () => {
    const quoted = names.quoted(name)
    if ('word' in quoted) throw new Error(`'${name}' is a word.`)
    const [quotation] = quotationsIn(quoted.figure)
    const { value, unit } = quoteOf(quoted.figure, recordings.figure)
    // What is worked out of times is in ms.
    const inUnit =
      askedUnit === 'µs' && unit === 'ms' ? { value: value * 1e3, unit: 'us' as const } : { value, unit }
    return { ...inUnit, file: quotation?.file ?? '' }
  })
  const isFactor = ['×', 'times'].includes(askedUnit) && unit === 'ratio'
  return {
    text: isFactor ? `${plain(value)} ${askedUnit}` : say({ value, unit }),
    onScale: (askedUnit === 'KiB' && unit === 'bytes' ? value / 1024 : value) * scale,
    words: read.words({ text: words, line: line('words') }),
    origin: recordings.origin(file),
  }
}

function askedOf(head: AskedHead, at: readonly string[], lineOf: Lines, reader: Reader): Asked {
  const question = questionOf(head, at, lineOf, reader)
  const inPyTorch = (name: string) => lineOf(...at, 'pytorch', name)
  return {
    ...question,
    metric: metricOf(head.metric),
    ...(head.pytorch ? { pytorch: pytorchOf(head.pytorch, question, inPyTorch, reader) } : {}),
  }
}

/** Where the files of PyTorch are from that a text quotes: each machine and day once. */
function originsIn(
  source: string,
  names: Names,
  recordings: Pick<Recordings, 'origin'>,
): readonly RecordedOrigin[] {
  const files = namesIn(source)
    .flatMap((name) => names.filesOf(name))
    .filter((file) => file.startsWith('torch-'))
  const origins = files.map((file) => {
    const { device, date } = recordings.origin(file)
    return { device, date: date.slice(0, '2026-11-24'.length) }
  })
  return [...new Map(origins.map((origin) => [JSON.stringify(origin), origin])).values()]
}

/** '- `function` `line` Words.' under a heading that names a script. */
function suspectsOf(
  { heading, blocks }: Part,
  { fail, read }: Reader,
): readonly [script: string, readonly Suspect[]] {
  const suspects = itemsOf(blocks, fail).map(({ text, line }): Suspect => {
    const [, name, code, words] = /^`([^`]+)` (?:`([^`]+)` )?(.+)$/.exec(text) ?? []
    if (name === undefined || words === undefined || (code === undefined) !== (name === NO_LINE))
      return fail(
        line,
        `A line reads: - \`function\` \`line\` What is answered. The last: - \`${NO_LINE}\` Words.`,
      )
    return { name, code: code ?? '', words: read.words({ text: words, line }) }
  })
  return [heading.text, suspects]
}

/**
 * `id`: the folder's name, which is also the experiment's. `names`: those of the figures.ts beside
 * it.
 *
 * @throws WordsFault
 */
export function parseLesson(
  source: string,
  file: string,
  id: string,
  recordings: Recordings,
  names: Names,
): LessonFile {
  const fail = failIn(file)
  const read = new TextReader({ names, recorded: recordings.figure, showsCauses: true }, fail)
  const reader: Reader = { fail, read, names, recordings, own: id }
  const head = readHead(source, file)
  const { fields, lineOf, body, bodyLine } = head
  const { before, parts } = partsOf(readBlocks(body, file, bodyLine), 2)
  const sections = sectionsOf<Section>(parts, SECTIONS[head.kind], fail)
  const blocksOf = (name: Section): readonly Block[] =>
    sections.get(name) ?? fail(bodyLine, `There is no '## ${name}'.`)
  const cards = (name: Section) => cardsOf(blocksOf(name), { fail, names, read, recorded: recordings.figure })
  const under = (name: Section): readonly Part[] => namedParts(blocksOf(name), name, fail)

  const base = {
    number: fields.number,
    question: fields.question,
    measures: fields.measures,
    minutes: fields.minutes,
    part: fields.part ?? null,
    recommended: fields.recommended ?? '',
    objectives: fields.objectives,
    mends: fields.mends ?? [],
    intro: read.passage(before),
    ask: fields.ask ?? '',
    inPyTorch: cards('In PyTorch'),
    cannot: cards('Cannot'),
    quiz: under('Quiz').map((part) => quizItemOf(part, reader)),
    sources: itemsOf(blocksOf('Sources'), fail).map((text) => sourceOf(text, fail)),
    quoted: readAt(1, fail, () => originsIn(source, names, recordings)),
  }
  const at = ['prediction']
  if (head.kind === 'profiles') {
    const { prediction, profiles } = head.fields
    return {
      kind: 'profiles',
      ...base,
      prediction: questionOf(prediction, at, lineOf, reader),
      shown: { recording: profiles.shown, rank: profiles.rank },
      profiles: Object.entries(profiles.scripts).map(([recording, script]) => ({ recording, script })),
      explanation: cards('What happened'),
      suspects: Object.fromEntries(under('Lines').map((part) => suspectsOf(part, reader))),
    }
  }
  const { values, excerpt, prediction } = head.fields
  const { withoutTimestamps: other } = prediction
  const { variants, steps, from, staging, figure, words } = excerpt
  return {
    kind: 'experiment',
    ...base,
    experiment: id,
    values,
    prediction: {
      ...askedOf(prediction, at, lineOf, reader),
      ...(other ? { withoutTimestamps: askedOf(other, [...at, 'withoutTimestamps'], lineOf, reader) } : {}),
    },
    excerpt: { variants, steps, isSteady: from !== undefined, staging: staging !== undefined, figure, words },
    answer: read.passage(blocksOf('Answer')),
    steps: under('Steps').map((part) => stepOf(part, reader)),
    tryNext: itemsOf(blocksOf('Try next'), fail).map((text) => tryNextOf(text, reader)),
  }
}
