/** A run that was recorded on a real GPU and is served beside the page. */
import { FaultError } from '../../../base/fault'
import { findExperiment, loadDeclaration } from '../../../experiments/catalog'
import { judge } from '../../../experiments/declare/judge'
import type { RunFiles } from '../../state/run-files'
import type { LoadedRun } from '../../state/run-store'
import type { Report } from '../../../trace/report'
import { recordings, version } from 'virtual:recordings'

/** Its charts and words as of today, from what was measured then: a file has those of its day. */
async function asOfToday(report: Report): Promise<Report> {
  const meta = findExperiment(report.experiment)
  if (!meta) return report
  const figures = meta.figures(report.metrics, report)
  const verdict = judge(await loadDeclaration(meta), report)
  return { ...report, verdict, ...(figures.length > 0 ? { figures } : {}) }
}

async function fetchRun(files: RunFiles, file: string): Promise<LoadedRun> {
  const response = await fetch(recordingAddress(file))
  if (!response.ok) throw new Error(`the server answered ${String(response.status)}`)
  const read = await files.readRun(new Uint8Array(await response.arrayBuffer()), 'recorded')
  if (!read.ok) throw new Error(read.error.message)
  const { report, ...others } = read.value
  return { ...others, report: report && (await asOfToday(report)) }
}

/** @throws FaultError with the reason why there is none. */
export async function loadRecording(files: RunFiles, file: string): Promise<LoadedRun> {
  if (!recordings.includes(file))
    throw new FaultError({
      code: 'file',
      message: 'There is no recording of this yet.',
      hint: 'A browser with WebGPU runs it. The text of the lesson does not need it.',
    })
  return await fetchRun(files, file).catch((thrown: unknown) => {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    throw new FaultError({
      code: 'file',
      message: `The recorded run could not be loaded: ${why.replace(/\.$/, '')}.`,
      hint: 'Check the connection and try again. The text of the lesson does not need it.',
    })
  })
}

/** @param file in public/recordings/ */
export const recordingAddress = (file: string): URL =>
  new URL(`recordings/${file}?v=${version}`, document.baseURI)
