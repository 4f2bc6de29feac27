/**
 * Programs of an exercise as edits of its start or its reference (`programs.edits`). Each rung
 * begins with the program `start`:
 *
 *     == one-place (reference) fails output: sends each part to the same place.
 *     step * bytes ⇒ 0
 *
 * Each line is an edit, `find ⇒ replacement`. `find` occurs once in the text so far; `first … last`
 * means everything from the one to the other. `⏎` is an end of line, `^` stands before the first
 * line, `$` behind the last, and an empty `find` for the whole program. A line that begins with `+
 * ` continues the replacement. A right program names no check.
 */

export interface EditedProgram {
  readonly name: string
  /** The check that it must fail; null: it is right. */
  readonly fails: string | null
  readonly source: string
}

interface Bases {
  readonly start: string
  readonly reference: string
}

const HEAD = /^== ([\w-]+) \((start|reference)\)(?: fails ([a-z-]+))?: \S/

/** @throws Error where `find` is not there, or more than once. */
function placeOf(text: string, find: string): readonly [from: number, to: number] {
  if (find === '^') return [0, 0]
  if (find === '$') return [text.length, text.length]
  if (find === '') return [0, text.length]
  const [first = '', last] = find.split(' … ')
  const from = text.indexOf(first)
  if (from < 0 || text.includes(first, from + 1))
    throw new Error(`'${first}' occurs ${from < 0 ? 'not at all' : 'more than once'}.`)
  if (last === undefined) return [from, from + first.length]
  const to = text.indexOf(last, from + first.length)
  if (to < 0) throw new Error(`'${last}' does not occur behind '${first}'.`)
  return [from, to + last.length]
}

function edited(text: string, edit: string): string {
  const [, find, replacement] = /^([^]*?) ?⇒ ?([^]*)$/.exec(edit) ?? []
  if (find === undefined || replacement === undefined)
    throw new Error(`'${edit}' is no edit: find ⇒ replacement.`)
  const [from, to] = placeOf(text, find)
  return text.slice(0, from) + replacement + (find === '^' ? '\n' : '') + text.slice(to)
}

/** @throws Error, with the program's name, where an edit cannot be made. */
function programIn(part: string, bases: Bases): EditedProgram {
  const [head = '', ...rest] = part.split('\n')
  const [, name, base, fails] = HEAD.exec(head) ?? []
  if (name === undefined || (base !== 'start' && base !== 'reference'))
    throw new Error(`'${head}' should read: == name (start) fails check: why. Without 'fails', it is right.`)
  const edits: string[] = []
  for (const line of rest.map((each) => each.replaceAll('⏎', '\n')).filter((each) => each.trim() !== ''))
    if (line.startsWith('+ ')) edits.push(`${edits.pop() ?? ''}\n${line.slice(2)}`)
    else edits.push(line)
  try {
    return { name, fails: fails ?? null, source: edits.reduce(edited, bases[base]) }
  } catch (thrown) {
    throw new Error(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}

/**
 * The programs of a rung, made of the last rung's two. Those named `start` and `reference` are the
 * rung's own two: the programs behind them are made of these.
 *
 * @param rung from 1
 * @throws Error, with the program's name, where an edit cannot be made.
 */
export function programsIn(
  file: string,
  rung: number,
  mend: Bases,
): Bases & {
  /** The check that the rung's start fails; null: none is named. */
  readonly startFails: string | null
  readonly others: readonly EditedProgram[]
} {
  const own = { ...mend }
  let startFails: string | null = null
  const others: EditedProgram[] = []
  const parts = file.split(/^(?=== start \()/m)[rung - 1]?.split(/^(?=== )/m) ?? ['']
  for (const part of parts) {
    const program = programIn(part, own)
    if (program.name === 'start' || program.name === 'reference') own[program.name] = program.source
    else others.push(program)
    if (program.name === 'start') startFails = program.fails
  }
  return { ...own, startFails, others }
}
