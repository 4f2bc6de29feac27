/** `npm run lab -- grade <lesson> FILE`: a program graded in a headless browser, by the grader that the page has. */
import { readFile } from 'node:fs/promises'
import type { Grade } from '../src/exercises/types'
import type { LabArguments } from './lab-arguments'
import { openLabPage, type LabGlobal } from './lab-page'
import { gradeJson } from './lab-texts'
import { CommandError, say } from './terminal.mjs'
import { inert, textTable } from './text-table'
import { within } from './within'

type GradeArguments = Extract<LabArguments, { readonly command: 'grade' }>

/** Three programs, each with its own device: seconds on a GPU, half a minute on software under load. */
const LIMIT_MS = 300_000

const VERDICTS = {
  true: 'passed',
  false: 'not passed',
  null: 'cannot be determined on this machine',
} as const

function gradeText({ passed, checks }: Grade): string {
  const rows = checks.map(({ id, outcome, text }) => [outcome, id, text])
  return [textTable(rows), '', VERDICTS[String(passed) as keyof typeof VERDICTS]].join('\n') // true, false or null
}

export async function grade({
  lesson,
  file,
  rung,
  adapter,
  quantized,
  json,
}: GradeArguments): Promise<number> {
  let source: string
  try {
    source = await readFile(file, 'utf8')
  } catch (thrown) {
    throw new CommandError(
      `'${file}' cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      2,
    )
  }
  const lab = await openLabPage({ adapter, quantized, address: 'method/' })
  try {
    say(`${lesson} on ${lab.device.adapterName}`)
    const graded = await within(
      LIMIT_MS,
      Promise.race([
        lab.page.evaluate(
          ([id, text, number]) => (globalThis as LabGlobal).hostDeviceLab.grade(id, text, { rung: number }),
          [lesson, source, rung] as const,
        ),
        lab.gone,
      ]),
      () => new CommandError(`The grading did not end within ${String(LIMIT_MS / 1000)} s.`),
    )
    console.log(inert(json ? JSON.stringify(gradeJson(graded), null, 2) : gradeText(graded)))
    return graded.passed === true ? 0 : 1
  } finally {
    await lab.close()
  }
}
