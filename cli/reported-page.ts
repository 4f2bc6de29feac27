/** A file that `lab record` wrote, and what it says. */
import { RECORDED_PAGE, type Trace } from '../src/trace/schema'
import { plainAnalysis, readOne } from './lab-analyze'
import { lessonThatMends } from './lesson-that-mends'
import { pageReport, type PageReport } from './record-report'
import { CommandError } from './terminal.mjs'

export interface Reported {
  readonly trace: Trace
  readonly report: PageReport
}

/** @throws CommandError where the file is no recording */
export async function reported(file: string): Promise<Reported> {
  const { analysis, opened } = await readOne(file)
  const { trace } = opened
  if (trace.info.experiment !== RECORDED_PAGE)
    throw new CommandError(`'${file}' is no recording of a page.`, 2)
  return { trace, report: pageReport(trace, plainAnalysis(analysis), lessonThatMends) }
}
