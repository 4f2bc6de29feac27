/**
 * `choices.md` of a lesson: a question about a loop of PyTorch with one place open, and two or
 * three choices for it, each of which was recorded: `## Its words {#id}`, of
 * torch-LESSON-id.json.gz, then why that recording is as it is. Code is taken from `script`, which
 * made the recordings. A file that breaks a rule throws a WordsFault with its line, and the site is
 * not built.
 */
import type { Recordings } from '../../src/text/recorded'
import { failIn, namedHeading, partsOf, readBlocks, type Block, type Fail } from './blocks'
import * as v from 'valibot'
import { readFrontMatter, text as someText } from './front-matter'
import { readAt, TextReader } from './text'
import type { Names } from './named'

const HEAD = v.strictObject({ question: someText, script: someText })
const LEAST = 2
const MOST = 3

const paragraphsOf = (blocks: readonly Block[], read: TextReader, fail: Fail): readonly string[] =>
  blocks.flatMap((block) =>
    block.type === 'paragraph'
      ? (read.paragraph(block) ?? [])
      : fail(block.line, 'Only paragraphs stand here.'),
  )

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
) {
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
  const choices = parts.map(({ heading, blocks }) => {
    const { line } = heading
    const { heading: label, id } = namedHeading(heading, fail)
    const recorded = `torch-${lesson}-${id}.json.gz`
    if (!isRecorded(recorded)) return fail(line, `'${label}': there is no recording '${recorded}'.`)
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

/** Of the lines of a function, or of a loop. */
const INDENT = 4

const withoutComment = (line: string): string => line.replace(/\s*#.*$/, '').trimEnd()

/**
 * What a script of public/companion/ ran in each step of a recording, as code: 'for index in
 * range(10):', and what is within it, indented as there. Comments say what the recording is to
 * show, and are left out.
 *
 * @param name of the recording, as the script has it beside the function that makes a step:
 * `("stalled", stalled)`, `{"pinned": one_stream}`
 * @throws where the script does not say so
 */
function recordedLoop(script: string, name: string) {
  const lines = script.split('\n')
  const [, made = ''] = new RegExp(String.raw`"${name}"[,:] ([a-z_]\w*)\b(?!\()`).exec(script) ?? []
  const begin = lines.findIndex((line) => made !== '' && line.startsWith(`def ${made}(`))
  const [, step] = /\((\w+)/.exec(lines[begin] ?? '') ?? []
  const [, steps] = /^STEPS = (\d+)/m.exec(script) ?? []
  if (step === undefined || steps === undefined)
    throw new Error(`The script names no function of a step beside "${name}", or no STEPS.`)
  const rest = lines.slice(begin + 1)
  const end = rest.findIndex((line) => /^\S/.test(line))
  const body = rest
    .slice(0, end < 0 ? undefined : end)
    .map(withoutComment)
    .filter((line) => line !== '')
  return { head: `for ${step} in range(${steps}):`, body }
}

/**
 * What is common to all, with the head, and what fills the place that each leaves open, from the
 * start of the line.
 *
 * @throws where they are no loops of one kind
 */
function openLoop(loops: readonly ReturnType<typeof recordedLoop>[]) {
  const [first] = loops
  if (!first || loops.some(({ head }) => head !== first.head))
    throw new Error('The functions take their step by different names.')
  const shortest = Math.min(...loops.map(({ body }) => body.length))
  const isCommon = (at: number) => loops.every(({ body }) => body.at(at) === first.body.at(at))
  let before = 0
  while (before < shortest && isCommon(before)) before += 1
  let after = 0
  while (after < shortest - before && isCommon(-1 - after)) after += 1
  return {
    before: [first.head, ...first.body.slice(0, before)],
    open: loops.map(({ body }) => body.slice(before, body.length - after).map((line) => line.slice(INDENT))),
    after: first.body.slice(first.body.length - after),
  }
}
