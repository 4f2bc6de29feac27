/**
 * Other ways to mend (src/mend/words.ts): the entries of a mend's `right.edits` that are marked `shown`, made of its two programs and laid out
 * as the project's source is.
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import { programsIn, type EditedProgram } from '../src/mend/edits'
import type { Way, WayHead } from '../src/mend/words'
import { highlight } from './highlight'
import { linesOfMend } from './mend-lines'

const MOST = 2
const OPTIONS = resolve(import.meta.dirname, '../.oxfmtrc.json')

interface Bases {
  readonly start: string
  readonly reference: string
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** @throws Error where more are marked than a page shows, or an edit cannot be made. */
function shownIn(edits: string, bases: Bases): readonly EditedProgram[] {
  const shown = programsIn(edits, bases).others.filter(({ isShown }) => isShown)
  if (shown.length > MOST)
    throw new Error(
      `${shown.map(({ name }) => name).join(', ')} are marked as shown: a page shows ${String(MOST)}.`,
    )
  return shown
}

const headOf = ({ name, why }: EditedProgram): WayHead => ({
  name: sentence(name.replaceAll('-', ' ')),
  why: sentence(why),
})

export const waysIn = (edits: string, bases: Bases): readonly WayHead[] => shownIn(edits, bases).map(headOf)

/** A file of settings may have comments. */
const settings = async (): Promise<FormatConfig> =>
  JSON.parse((await readFile(OPTIONS, 'utf8')).replaceAll(/^\s*\/\/.*$/gm, '')) as FormatConfig // oxfmt's own file

/** Nothing lays out WGSL: its edits are written as they are shown. */
async function laidOut(source: string, file: string, options: FormatConfig): Promise<string> {
  if (!file.endsWith('.js')) return source
  const { code, errors } = await format(file, source, options)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '))
  return code
}

/** Without what a program says of itself in its first line. */
const bodyOf = (text: string): readonly string[] =>
  text.split('\n').filter((line, at) => at > 0 || !line.startsWith('//'))

export async function programsOfWays(edits: string, bases: Bases, file: string): Promise<readonly Way[]> {
  const options = await settings()
  return await Promise.all(
    shownIn(edits, bases).map(async (program): Promise<Way> => {
      const head = headOf(program)
      // What the base says of itself is not said of this one.
      const [said = ''] = bases[program.base].split('\n')
      const named = said.startsWith('//')
        ? program.source.replace(said, () => `// ${head.why}`)
        : program.source
      const source = await laidOut(named, file, options)
      const texts = [bodyOf(bases.reference), bodyOf(source)] as const
      const rows = linesOfMend(texts, texts)
      const count = (sign: string) => rows.filter((row) => row?.sign === sign).length
      return { ...head, source, lines: await highlight(source, file), added: count('+'), gone: count('-') }
    }),
  )
}
