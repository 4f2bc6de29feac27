/**
 * Wrong and right programs of a mend, as edits of its start or its reference: `wrong.edits` and `right.edits` beside them.
 *
 *     == keeps-warm-up (reference; kept results) fails output: sends the parts of the warm-up in every run.
 *     ^ ⇒ let kept = null
 *     part(step)) ⇒ kept[step])
 *
 * An edit is a line, `find ⇒ replacement`, where `find` occurs once in the text so far; `first … last` is all from the one to the other.
 * `⏎` is an end of line, `^` is before the first, `$` behind the last, and nothing before `⇒` is the whole program. A line that begins with `+ ` continues the
 * replacement. A right program names no check, and its style in place of a family.
 * `where text` in the head: there is such a program only of a base that has this text. `shown` before the colon of a right one: it is another way to
 * mend, and stands on the page below the lab's own (vite/ways.ts). `-- family: why` says why a mend has no cheat of a family. Pure.
 */

export interface EditedProgram {
  readonly name: string
  readonly base: 'start' | 'reference'
  /** Of a wrong program its family (testing/families.ts); of a right one its style. */
  readonly kind: string
  /** The check that it must fail; null: it is right. */
  readonly fails: string | null
  /** Another way to mend, which the page shows. */
  readonly isShown: boolean
  readonly why: string
  readonly source: string
}

const HEAD =
  /^== ([\w-]+) \((start|reference); ([^)]+)\)(?: fails ([a-z-]+)| (shown))?(?: where ([^:]+))?: (\S.*)$/

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

type Bases = Readonly<Record<EditedProgram['base'], string>>

/** Null: not of this base. @throws Error, with the program's name, where an edit cannot be made. */
function programIn(part: string, bases: Bases): EditedProgram | null {
  const [head = '', ...rest] = part.split('\n').filter((line) => !line.startsWith('-- '))
  const [, name, base, kind, fails, shown, where = '', why] = HEAD.exec(head) ?? []
  if (
    name === undefined ||
    (base !== 'start' && base !== 'reference') ||
    kind === undefined ||
    why === undefined
  )
    throw new Error(
      `'${head}' should read: == name (start; family) fails check: why. A right one: == name (start; style) shown: why.`,
    )
  if (!bases[base].includes(where)) return null
  const edits: string[] = []
  for (const line of rest.map((each) => each.replaceAll('⏎', '\n')).filter((each) => each.trim() !== ''))
    if (line.startsWith('+ ')) edits.push(`${edits.pop() ?? ''}\n${line.slice(2)}`)
    else edits.push(line)
  try {
    return {
      name,
      base,
      kind,
      fails: fails ?? null,
      isShown: shown !== undefined,
      why,
      source: edits.reduce(edited, bases[base]),
    }
  } catch (thrown) {
    throw new Error(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
}

const partsOf = (file: string): readonly string[] =>
  file.split(/^(?=== )/m).filter((each) => each.startsWith('== '))

/**
 * The programs of a file, made of the mend's two. Those of the names `start` and `reference` are the two of a rung before the last: the programs
 * behind them are made of these.
 *
 * @throws Error, with the program's name, where an edit cannot be made.
 */
export function programsIn(
  file: string,
  mend: Bases,
): Bases & {
  /** The check that the rung's start fails; null: none is named. */
  readonly startFails: string | null
  readonly others: readonly EditedProgram[]
} {
  const own = { ...mend }
  let startFails: string | null = null
  const others: EditedProgram[] = []
  for (const part of partsOf(file)) {
    const program = programIn(part, own)
    if (program === null) continue
    if (program.name === 'start' || program.name === 'reference') own[program.name] = program.source
    else others.push(program)
    if (program.name === 'start') startFails = program.fails
  }
  return { ...own, startFails, others }
}
