/** A run watched from within its page: asking from outside would wake it more often than a visitor does. Sent to the page as text. */
import type { FirefoxRun } from '../cli/testing/firefox-report'
import type { LabGlobal } from '../cli/lab-page'

export async function watchedRun(experiment: string): Promise<FirefoxRun> {
  const { hostDeviceLab } = globalThis as LabGlobal
  const phases: { name: string; startMs: number; endMs: number }[] = []
  const started = performance.now()
  // The last run's progress stands until this one reports its own.
  const before = hostDeviceLab.progress()
  const timer = setInterval(() => {
    const progress = hostDeviceLab.progress()
    const last = phases.at(-1)
    const now = performance.now() - started
    if (last) last.endMs = now
    if (progress && progress !== before && progress.message !== last?.name)
      phases.push({ name: progress.message, startMs: now, endMs: now })
  }, 5)
  try {
    const outcome = await hostDeviceLab.run(experiment, {}, { record: true, live: false })
    return { experiment, outcome, phases, tookMs: performance.now() - started }
  } finally {
    clearInterval(timer)
  }
}
