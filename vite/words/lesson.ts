/**
 * `lesson.md` as the data of src/lessons/lesson.ts. src/lessons/README.md shows the format: front matter; the introduction; then the sections
 * of its kind (SECTIONS), once each. With `profiles` in the front matter it is of profiles, else of an experiment. A paragraph may begin with
 * a condition, `{when shown and not software}`. A file that breaks a rule throws a WordsFault with its line, and the site is not built.
 */
import { parse as parseYaml } from 'yaml'
import { Tokens } from '../../src/base/tokens'
import {
  FACTS,
  misconceptions,
  type Asked,
  type Branch,
  type ExperimentWords,
  type Fact,
  type LessonFile,
  type LessonStep,
  type LessonWords,
  type Misconception,
  type Passage,
  type ProfilesWords,
  type Question,
  type QuizItem,
  type QuizOption,
  type Test,
} from '../../src/lessons/lesson'
import {
  failIn,
  itemsOf,
  namedParts,
  partsOf,
  readBlocks,
  sectionsOf,
  type Block,
  type Fail,
  type Part,
  type Text,
} from './blocks'
import { guardOf, readAt } from './guard'
import { included, NO_PASSAGES, type Passages } from './passages'
import { isValues, splitFrontMatter, type Fields, type Values } from './front-matter'

const SECTIONS = {
  experiment: ['Steps', 'Carries over', 'Cannot', 'Quiz', 'Try next', 'Sources'],
  profiles: ['What happened', 'Places', 'Carries over', 'Cannot', 'Quiz', 'Sources'],
} as const
type Section = (typeof SECTIONS)[keyof typeof SECTIONS][number]

type Item = Extract<Block, { readonly type: 'item' }>

const isFact = (name: string): name is Fact => (FACTS as readonly string[]).includes(name)

/** 'a and not b and reason c' */
function testsOf(text: string): readonly Test[] {
  const tokens = new Tokens(text, 'condition')
  const tests: Test[] = []
  do {
    const not = tokens.takeIf('not') || tokens.takeIf('no')
    const name = tokens.take()
    if (name === 'reason') tests.push({ reason: tokens.take(), not })
    else if (isFact(name)) tests.push({ fact: name, not })
    else tokens.fail(`'${name}' is no fact; there are ${FACTS.join(', ')} and reason …`)
  } while (tokens.takeIf('and'))
  tokens.expectEnd()
  return tests
}

/** '{when a and not b} Words' as words under a condition, other text as it is. */
function branchOf(paragraph: Text, fail: Fail): string | Branch {
  const guard = guardOf(paragraph, fail)
  if (guard === null) return paragraph.text
  if (guard.word !== 'when') return fail(paragraph.line, 'A condition here reads {when …}.')
  return { when: readAt(paragraph.line, fail, () => testsOf(guard.condition)), text: guard.words }
}

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
  return isValues(values) ? { label, values, rest } : fail(line, `'${yaml}' holds no parameters.`)
}

function passageOf(blocks: readonly Block[], fail: Fail): Passage {
  return blocks.map((block) =>
    block.type === 'paragraph'
      ? branchOf(block, fail)
      : block.type === 'table'
        ? block.table
        : fail(block.line, 'Only paragraphs and tables can stand here.'),
  )
}

/** '### The heading {#its-id}' */
function namedHeading({ text, line }: Text, fail: Fail): { heading: string; id: string } {
  const [, heading = '', id = ''] = /^(.+?) +\{#([a-z0-9-]+)\}$/.exec(text) ?? []
  return id === '' ? fail(line, `A heading here ends in its id: '${text} {#some-id}'.`) : { heading, id }
}

/** 'stall-ms every-step'; a metric of the whole run has no variant. */
function metricOf(text: string): { readonly name: string; readonly variant: string } {
  const [name = '', variant = ''] = text.trim().split(' ')
  return { name, variant }
}

function stepOf({ heading, blocks }: Part, fail: Fail): LessonStep {
  const text: Passage[number][] = []
  const lookFor: (string | Branch)[] = []
  const compare: LessonStep['compare'][number][] = []
  let action: LessonStep['action']
  let show: LessonStep['show']
  for (const block of blocks) {
    if (block.type === 'quote') lookFor.push(branchOf(block, fail))
    else if (block.type === 'table') text.push(block.table)
    else if (block.type !== 'paragraph')
      fail(block.line, 'A step has paragraphs, tables, one run and quotes.')
    else {
      const link = runLink(block, fail)
      const figures = /^\{compare (.*)\}$/.exec(block.text)?.[1]
      const [, steps, variants = ''] = /^\{show (\d+) steps? of (.*)\}$/.exec(block.text) ?? []
      if (figures !== undefined) compare.push(...figures.split(', ').map(metricOf))
      else if (steps !== undefined) show = { steps: Number(steps), variants: variants.split(', ') }
      else if (!link) text.push(branchOf(block, fail))
      else if (action || link.rest !== '') fail(block.line, 'A step has one run, in a paragraph of its own.')
      else {
        // A step that sets one parameter is about that one.
        const [dial, ...others] = Object.keys(link.values)
        const { label, values } = link
        action = { label, values, run: true, ...(dial !== undefined && others.length === 0 ? { dial } : {}) }
      }
    }
  }
  if (text.length === 0) fail(heading.line, 'A step has at least one paragraph.')
  return {
    ...namedHeading(heading, fail),
    text,
    ...(action ? { action } : {}),
    compare,
    ...(show ? { show } : {}),
    ...(lookFor.length > 0 ? { lookFor } : {}),
  }
}

const isMisconception = (key: string): key is Misconception => Object.hasOwn(misconceptions, key)

/** '- [x] An option. (M1)' with its explanation indented below. */
function optionOf({ paragraphs: [first, ...explanation], line }: Item, fail: Fail): QuizOption {
  const [, mark, text, key] = /^\[([ x])\] (.*?)(?: \((M\d+)\))?$/.exec(first?.text ?? '') ?? []
  if (mark === undefined || text === undefined) return fail(line, 'An option begins with [ ] or [x].')
  if (explanation.length === 0) return fail(line, 'An option has an explanation, indented below it.')
  if (key !== undefined && !isMisconception(key)) return fail(line, `There is no misconception ${key}.`)
  return {
    text,
    correct: mark === 'x',
    explanation: explanation.map((paragraph) => branchOf(paragraph, fail)),
    ...(key !== undefined ? { misconception: key } : {}),
  }
}

function quizItemOf({ heading, blocks }: Part, fail: Fail): QuizItem {
  const [question, ...options] = blocks
  if (question?.type !== 'paragraph')
    return fail(heading.line, 'A question is a paragraph, then its options.')
  if (!/^[a-z0-9-]+$/.test(heading.text)) return fail(heading.line, `'${heading.text}' is no id.`)
  return {
    id: heading.text,
    question: question.text,
    options: options.map((block) =>
      block.type === 'item' ? optionOf(block, fail) : fail(block.line, 'Only options can stand here.'),
    ),
  }
}

function tryNextOf(text: Text, fail: Fail): ExperimentWords['tryNext'][number] {
  const link = runLink(text, fail)
  if (!link || link.rest === '') return fail(text.line, 'An item here reads: [Label](run {…}) and why.')
  return { label: link.label, values: link.values, why: link.rest }
}

function sourceOf({ text, line }: Text, fail: Fail): LessonWords['sources'][number] {
  const [, label, url] = /^\[([^[\]]+)\]\((\S+)\)$/.exec(text) ?? []
  return label === undefined || url === undefined
    ? fail(line, 'A source reads: [Label](address).')
    : { label, url }
}

function questionOf(fields: Fields): Question {
  const [min, max] = fields.pair<number>('range', 'number')
  return {
    question: fields.text('question'),
    unit: fields.text('unit'),
    min,
    max,
    step: fields.number('step'),
    ...(fields.has('axis') ? { doublings: fields.text('axis') === 'log2' } : {}),
    start: fields.number('start'),
    scale: fields.number('scale'),
    ends: fields.pair<string>('ends', 'string'),
    result: fields.text('result'),
  }
}

function askedOf(fields: Fields, fail: Fail): Asked {
  const metric = fields.text('metric')
  const [name = '', variant = '', more] = metric.split(' ')
  if (more !== undefined) fail(fields.lineOf('metric'), `'${metric}' must be a metric and a variant.`)
  return { ...questionOf(fields), metric: { name, variant } }
}

/** '- `name` Words.' under a heading that names a script. */
function placesOf({ heading, blocks }: Part, fail: Fail): readonly [script: string, Record<string, string>] {
  const places: Record<string, string> = {}
  for (const { text, line } of itemsOf(blocks, fail)) {
    const [, name, words] = /^`([^`]+)` (.+)$/.exec(text) ?? []
    if (name === undefined || words === undefined)
      return fail(line, 'A place reads: - `function` and what is answered to a click on it.')
    if (Object.hasOwn(places, name)) fail(line, `'${name}' stands here twice.`)
    places[name] = words
  }
  return [heading.text, places]
}

const plainPart = (block: Block, fail: Fail): ProfilesWords['explanation'][number] =>
  block.type === 'paragraph'
    ? block.text
    : block.type === 'table'
      ? block.table
      : fail(block.line, 'Only paragraphs and tables can stand here.')

function objectivesOf(fields: Fields, fail: Fail): readonly string[] {
  const objectives = fields.texts('objectives')
  const line = fields.lineOf('objectives')
  if (objectives.length < 2 || objectives.length > 4) fail(line, 'A lesson has two to four objectives.')
  for (const objective of objectives)
    if (!/^[A-Z][^`*[\]]*\.$/.test(objective))
      fail(line, `An objective is one plain sentence, with its full stop: '${objective}'.`)
  return objectives
}

/** `id`: the folder's name, which is also the experiment unless the file names another. `passages`: what it can take in. */
export function parseLesson(
  source: string,
  file: string,
  id: string,
  passages: Passages = NO_PASSAGES,
): LessonFile {
  const fail = failIn(file)
  const { fields, body, bodyLine } = splitFrontMatter(source, file)
  const kind = fields.has('profiles') ? 'profiles' : 'experiment'
  const blocks = readBlocks(body, file, bodyLine).flatMap(
    (block) => included(block, passages, fail) ?? [block],
  )
  const { before, parts } = partsOf(blocks, 2)
  const sections = sectionsOf<Section>(parts, SECTIONS[kind], fail)
  const blocksOf = (name: Section): readonly Block[] =>
    sections.get(name) ?? fail(bodyLine, `There is no '## ${name}'.`)
  const under = (name: Section): readonly Part[] => namedParts(blocksOf(name), name, fail)

  const prediction = fields.fields('prediction')
  const base = {
    number: fields.number('number'),
    title: fields.text('title'),
    question: fields.text('question'),
    measures: fields.text('measures'),
    minutes: fields.number('minutes'),
    mends: fields.has('mends') ? fields.texts('mends') : [],
    intro: passageOf(before, fail),
    ask: fields.has('ask') ? fields.text('ask') : '',
    carriesOver: passageOf(blocksOf('Carries over'), fail),
    cannot: passageOf(blocksOf('Cannot'), fail),
    quiz: under('Quiz').map((part) => quizItemOf(part, fail)),
    sources: itemsOf(blocksOf('Sources'), fail).map((text) => sourceOf(text, fail)),
  }

  const ofProfiles = (): ProfilesWords => {
    const profiles = fields.fields('profiles')
    const words: ProfilesWords = {
      kind: 'profiles',
      ...base,
      prediction: questionOf(prediction),
      shown: { recording: profiles.text('shown'), rank: profiles.number('rank') },
      profiles: Object.entries(profiles.values('scripts')).map(([recording, script]) => ({
        recording,
        script: String(script),
      })),
      explanation: blocksOf('What happened').map((block) => plainPart(block, fail)),
      places: Object.fromEntries(under('Places').map((part) => placesOf(part, fail))),
    }
    profiles.done()
    return words
  }

  const ofExperiment = (): ExperimentWords => {
    const story = fields.fields('story')
    const other = prediction.has('withoutTimestamps') ? prediction.fields('withoutTimestamps') : null
    const words: ExperimentWords = {
      kind: 'experiment',
      ...base,
      experiment: fields.has('experiment') ? fields.text('experiment') : id,
      values: fields.values('values'),
      prediction: {
        ...askedOf(prediction, fail),
        ...(other ? { withoutTimestamps: askedOf(other, fail) } : {}),
      },
      story: {
        variants: story.texts('variants'),
        steps: story.number('steps'),
        staging: story.has('staging') && story.text('staging') === 'shown',
        figure: story.text('figure'),
        words: story.text('words'),
      },
      steps: under('Steps').map((part) => stepOf(part, fail)),
      tryNext: itemsOf(blocksOf('Try next'), fail).map((text) => tryNextOf(text, fail)),
    }
    other?.done()
    story.done()
    return words
  }

  const objectives = objectivesOf(fields, fail)
  const words = kind === 'profiles' ? ofProfiles() : ofExperiment()
  for (const each of [prediction, fields]) each.done()
  return { ...words, objectives }
}
