/**
 * `choices.md` of a lesson: a question about a loop of PyTorch with one place open, and two or three choices for it, each of which was
 * recorded: `## Its words {#id}`, of torch-LESSON-id.json.gz, then why that recording is as it is. Code is taken from `script`, which made
 * the recordings. A file that breaks a rule throws a WordsFault with its line, and the site is not built.
 */
import type { Recordings } from '../../src/text/recorded'
import { failIn, partsOf, readBlocks, type Block, type Fail } from './blocks'
import * as v from 'valibot'
import { readFrontMatter, text as someText } from './front-matter'
import { readAt } from './guard'
import { openLoop, recordedLoop, type OpenLoop } from './recorded-loop'
import type { Names } from './named'
import { TextReader } from './text'

export interface ChoicesWords extends OpenLoop {
  readonly question: string
  /** Under public/companion/. */
  readonly script: string
  readonly intro: readonly string[]
  readonly choices: readonly {
    readonly label: string
    /** Under public/recordings/. */
    readonly file: string
    readonly why: readonly string[]
  }[]
}

const HEAD = v.strictObject({ question: someText, script: someText })
const LEAST = 2
const MOST = 3

const paragraphsOf = (blocks: readonly Block[], read: TextReader, fail: Fail): readonly string[] =>
  blocks.flatMap((block) =>
    block.type === 'paragraph'
      ? (read.paragraph(block) ?? [])
      : fail(block.line, 'Only paragraphs stand here.'),
  )

/** '## Its words {#id}', as a heading or in the file. */
const HEADING = /^(?:## )?(.+?) +\{#([a-z0-9-]+)\}$/

const recordingOf = (lesson: string, id: string): string => `torch-${lesson}-${id}.json.gz`

/** What a list says of the recordings of a file, without reading the rest of it. */
export const recordingsIn = (source: string, lesson: string) =>
  source.split('\n').flatMap((line) => {
    const [, label, id] = line.startsWith('## ') ? (HEADING.exec(line) ?? []) : []
    return label === undefined || id === undefined ? [] : [{ label, file: recordingOf(lesson, id) }]
  })

/**
 * @param lesson beside whose words the file is
 * @param textOf a script of that name; undefined: there is none
 * @param isRecorded whether a file is in public/recordings/
 */
export function parseChoices(
  source: string,
  file: string,
  {
    lesson,
    names,
    textOf,
    isRecorded,
    recordings,
  }: {
    readonly lesson: string
    readonly names: Names
    readonly textOf: (script: string) => string | undefined
    readonly isRecorded: (file: string) => boolean
    readonly recordings: Pick<Recordings, 'figure'>
  },
): ChoicesWords {
  const fail = failIn(file)
  const read = new TextReader(
    { names, recorded: recordings.figure, isDecided: true, showsCauses: true },
    fail,
  )
  const { fields, body, bodyLine } = readFrontMatter(source, file, HEAD)
  const { question, script } = fields
  const code = textOf(script) ?? fail(1, `There is no script '${script}'.`)
  const { before, parts } = partsOf(readBlocks(body, file, bodyLine), 2)
  if (parts.length < LEAST || parts.length > MOST)
    fail(bodyLine, `There are ${String(LEAST)} or ${String(MOST)} choices, not ${String(parts.length)}.`)
  const seen = new Set<string>()
  const choices = parts.map(({ heading: { text, line }, blocks }) => {
    const [, label = '', id = ''] = HEADING.exec(text) ?? []
    const recorded = recordingOf(lesson, id)
    if (!isRecorded(recorded)) return fail(line, `'${text}': there is no recording '${recorded}'.`)
    for (const name of [id, label]) {
      if (seen.has(name)) fail(line, `'${name}' stands here twice.`)
      seen.add(name)
    }
    const why = paragraphsOf(blocks, read, fail)
    if (why.length === 0) fail(line, `Nothing is said of what '${id}' recorded.`)
    return { label, file: recorded, why, loop: readAt(line, fail, () => recordedLoop(code, id)) }
  })
  return {
    question,
    script,
    intro: paragraphsOf(before, read, fail),
    ...readAt(bodyLine, fail, () => openLoop(choices.map(({ loop }) => loop))),
    choices: choices.map(({ label, file: recorded, why }) => ({ label, file: recorded, why })),
  }
}
