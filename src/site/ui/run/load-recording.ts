/** A run that was recorded on a real GPU and is served beside the page. Throws with the reason. */
import { findExperiment } from '../../../experiments/catalog'
import type { RunFiles } from '../../state/run-files'
import type { LoadedRun } from '../../state/run-store'
import type { Report } from '../../../trace/report'
import { version } from 'virtual:recordings'

/** Its charts as they are drawn today, from what was measured then: a file has the axes and hues of its day. */
function drawnToday(report: Report): Report {
  const figures = findExperiment(report.experiment)?.figures(report.metrics, report) ?? []
  return figures.length > 0 ? { ...report, figures } : report
}

export async function loadRecording(files: RunFiles, file: string): Promise<LoadedRun> {
  const response = await fetch(recordingAddress(file))
  if (!response.ok) throw new Error(`the server answered ${String(response.status)}`)
  const read = await files.readRun(new Uint8Array(await response.arrayBuffer()), 'recorded')
  if (!read.ok) throw new Error(read.error.message)
  const { report, ...others } = read.value
  return { ...others, report: report && drawnToday(report) }
}

/** @param file in public/recordings/ */
export const recordingAddress = (file: string): URL =>
  new URL(`recordings/${file}?v=${version}`, document.baseURI)
