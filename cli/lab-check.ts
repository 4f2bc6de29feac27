/** `npm run lab -- check FILE.py…`: the page 'Check your loop' in a terminal (src/check/). */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import { WAIT_IS_FREE } from '../src/check/rule'
import { counted } from '../src/base/figures'
import { checkPython, type Checked, type Finding } from '../src/check/check'
import type { parseCheck } from './check-arguments'
import { sayHolds } from './fail-if'
import { lessonThatMends } from './lesson-that-mends'
import { sarifOf } from './sarif'
import { CommandError, inert } from './terminal.mjs'

export interface CheckedFile extends Checked {
  readonly file: string
}

export async function check({
  files,
  isDiff,
  isJson,
  failIf,
  sarif,
}: ReturnType<typeof parseCheck>): Promise<number> {
  const checked: CheckedFile[] = []
  for (const file of files) {
    const all = checkPython(await textOf(file))
    checked.push({ file, ...(isDiff ? within(all, await changedLines(file)) : all) })
  }
  if (sarif !== null) await writeFile(sarif, `${JSON.stringify(sarifOf(checked), null, 2)}\n`)
  console.log(
    isJson ? JSON.stringify(checkJson(checked), null, 2) : inert(checked.map(textLines).join('\n\n')),
  )
  const failed = failIf.flatMap((condition) => sayHolds(condition, countOf(condition.name, checked)) ?? [])
  for (const line of failed) console.error(line)
  return failed.length > 0 ? 1 : 0
}

/** @throws CommandError where it cannot be read */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.replace(/^E[A-Z]+: /, '') : String(thrown)
    throw new CommandError(`'${file}' cannot be read: ${why}.`, 2)
  }
}

type IsChanged = (line: number) => boolean

/**
 * Lines of the file that git counts as changed; all of a file that git does not know. @throws
 * CommandError where there is no repository
 */
async function changedLines(file: string): Promise<IsChanged> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: dirname(file), maxBuffer: 2 ** 26 })
    return stdout
  }
  try {
    const name = basename(file)
    if ((await git('ls-files', '--', name)).trim() === '') {
      await git('rev-parse', '--git-dir')
      return () => true
    }
    return linesIn(await git('diff', '--unified=0', '--no-ext-diff', '--no-color', 'HEAD', '--', name))
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.split('\n').find(Boolean) ?? '') : String(thrown)
    throw new CommandError(`--diff needs git: ${why}`, 2)
  }
}

/** Tells which lines of the new file are in a unified diff without context. */
export function linesIn(diff: string): IsChanged {
  const ranges = [...diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, from, count]) => {
    const first = Number(from)
    return [first, first + Number(count ?? 1)] as const
  })
  return (line) => ranges.some(([from, to]) => line >= from && line < to)
}

function within(checked: Checked, isChanged: IsChanged): Checked {
  const touches = ({ line, endLine }: Finding): boolean => {
    for (let at = line; at <= endLine; at += 1) if (isChanged(at)) return true
    return false
  }
  return {
    ...checked,
    findings: checked.findings.filter(touches),
    questions: checked.questions.filter(({ line }) => isChanged(line)),
  }
}

const countOf = (name: string, files: readonly CheckedFile[]): number => {
  if (name === 'questions') return files.reduce((sum, { questions }) => sum + questions.length, 0)
  const isCounted = ({ kind, rule }: Finding) => name === 'findings' || name === kind || name === rule
  return files.reduce((sum, { findings }) => sum + findings.filter(isCounted).length, 0)
}

/**
 * The number after @ goes up when a field is added, goes, or changes its type or meaning. Lines
 * from 1, columns from 0.
 */
export const checkJson = (files: readonly CheckedFile[]) => ({
  schema: 'host-device-lab/check@1',
  files: files.map(({ file, findings, questions, unread }) => ({
    file,
    findings: findings.map((finding) => ({ ...finding, lesson: lessonThatMends(finding.cause) })),
    questions,
    unread,
  })),
})

function textLines({ file, findings, questions, unread, loop }: CheckedFile): string {
  const head =
    findings.length > 0
      ? `${file}: ${counted(findings.length, 'finding')}`
      : loop === null
        ? `${file}: no training loop that this check can follow.`
        : `${file}: nothing found in its ${loop === 'train' ? 'training' : 'inference'} loop.`
  return [
    findings.some(({ unless }) => unless === WAIT_IS_FREE) ? `${head}. ${WAIT_IS_FREE}` : head,
    ...findings.map((each) => findingLines(file, each)),
    ...questions.map(
      ({ line, column, text }) => `${file}:${String(line)}:${String(column + 1)} question: ${text}`,
    ),
    ...(unread.length > 0 ? [`Not read as Python: line ${unread.slice(0, 10).join(', ')}.`] : []),
  ].join('\n\n')
}

function findingLines(file: string, finding: Finding): string {
  const { line, column, kind, rule, title, text, unless, next, via, fix, cause } = finding
  const lesson = lessonThatMends(cause)
  return [
    `${file}:${String(line)}:${String(column + 1)} ${kind}: ${title} [${rule}]`,
    `  ${text}`,
    ...(via.length > 0 ? [`  The loop gets here through ${via.map((name) => `${name}()`).join(', ')}.`] : []),
    ...(next === null ? [] : [`  ${next}`]),
    ...(unless === WAIT_IS_FREE ? [] : [`  ${unless}`]),
    `  Instead: ${fix.instead}`,
    ...(fix.diff === null ? [] : fix.diff.split('\n').map((each) => `    ${each}`)),
    ...(lesson === null ? [] : [`  Lesson: ${lesson}`]),
  ].join('\n')
}
