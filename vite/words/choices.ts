/**
 * `choices.md` of a lesson: a question about a loop of PyTorch with one place open, and two or three choices for it, each of which was
 * recorded: `## Its words {#profile}`, a profile of the lesson's `cuda:`, then why its recording is as it is. Code is taken from the script
 * that made the recordings. A file that breaks a rule throws a WordsFault with its line, and the site is not built.
 */
import type { CudaSide } from '../../src/lessons/lesson'
import type { Recordings } from '../../src/words/recorded'
import { failIn, partsOf, readBlocks, type Block, type Fail } from './blocks'
import { splitFrontMatter } from './front-matter'
import { readAt } from './guard'
import { openLoop, recordedLoop, type OpenLoop } from './recorded-loop'
import { ofRecordingsAlone, TextReader } from './text'

export interface ChoicesWords extends OpenLoop {
  readonly question: string
  readonly intro: readonly string[]
  readonly choices: readonly {
    readonly label: string
    /** Under public/recordings/. */
    readonly file: string
    readonly why: readonly string[]
  }[]
}

const LEAST = 2
const MOST = 3

const paragraphsOf = (blocks: readonly Block[], read: TextReader, fail: Fail): readonly string[] =>
  blocks.flatMap((block) =>
    block.type === 'paragraph'
      ? (read.paragraph(block) ?? [])
      : fail(block.line, 'Only paragraphs stand here.'),
  )

/**
 * @param cuda of the lesson beside the file; undefined: it has none
 * @param script the text of what `cuda` names
 */
export function parseChoices(
  source: string,
  file: string,
  {
    cuda,
    script,
    recordings,
  }: {
    readonly cuda: Pick<CudaSide, 'profiles' | 'script'> | undefined
    readonly script: string
    readonly recordings: Pick<Recordings, 'figure'>
  },
): ChoicesWords {
  const fail = failIn(file)
  const read = new TextReader(ofRecordingsAlone(recordings.figure), fail)
  const { fields, body, bodyLine } = splitFrontMatter(source, file)
  const question = fields.text('question')
  fields.done()
  const { before, parts } = partsOf(readBlocks(body, file, bodyLine), 2)
  if (parts.length < LEAST || parts.length > MOST)
    fail(bodyLine, `There are ${String(LEAST)} or ${String(MOST)} choices, not ${String(parts.length)}.`)
  const seen = new Set<string>()
  const choices = parts.map(({ heading: { text, line }, blocks }) => {
    const [, label = '', id = ''] = /^(.+?) +\{#([a-z0-9-]+)\}$/.exec(text) ?? []
    const profile = cuda?.profiles.find((each) => each.id === id)
    if (!profile) return fail(line, `A choice ends in a profile of the lesson’s 'cuda:', not '${text}'.`)
    for (const name of [id, label]) {
      if (seen.has(name)) fail(line, `'${name}' stands here twice.`)
      seen.add(name)
    }
    const why = paragraphsOf(blocks, read, fail)
    if (why.length === 0) fail(line, `Nothing is said of what '${id}' recorded.`)
    return { label, file: profile.file, why, loop: readAt(line, fail, () => recordedLoop(script, id)) }
  })
  return {
    question,
    intro: paragraphsOf(before, read, fail),
    ...readAt(bodyLine, fail, () => openLoop(choices.map(({ loop }) => loop))),
    choices: choices.map(({ label, file: recorded, why }) => ({ label, file: recorded, why })),
  }
}
