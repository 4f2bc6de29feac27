/** A file that `lab record` wrote, and what it says. */
import { RECORDED_PAGE } from '../src/trace/schema'
import { plainAnalysis, readOne } from './lab-analyze'
import { lessonThatMends } from './lesson-that-mends'
import { pageReport } from './record-report'
import { CommandError } from './terminal.mjs'

export type Reported = Awaited<ReturnType<typeof reported>>

/** @throws CommandError where the file is no recording */
export async function reported(file: string) {
  const { analysis, opened } = await readOne(file)
  const { trace } = opened
  if (trace.info.experiment !== RECORDED_PAGE)
    throw new CommandError(`'${file}' is no recording of a page.`, 2)
  return { trace, report: pageReport(trace, plainAnalysis(analysis), lessonThatMends) }
}
