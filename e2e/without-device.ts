/** What the two kinds of browsers without a device have in common. */
import { findBrowser } from '../cli/browsers.mjs'
import { expect } from './fixtures'
import type { Lab } from './lab'

const found = await findBrowser()
if (found === null) throw new Error('No Chrome or Chromium found: npm run test:e2e installs one.')
export const executablePath = found

/** The whole lesson on the recording: marked as one, with figures, and never as the visitor's own machine. */
export async function playsRecording(lab: Lab, id: string, code: string): Promise<void> {
  const { page } = lab
  await lab.openLesson(id)
  await expect(lab.fault(code)).toContainText('How to get WebGPU')
  await lab.predict()
  await expect(lab.runButton).toHaveText('Play the recording')
  await lab.runButton.click()
  await expect(page.getByTestId('ribbon')).toContainText(/Recorded on .+\d{4}/)
  await expect(page.getByTestId('verdict')).toBeVisible()
  await expect(page.getByTestId('prediction-result')).toContainText('The recorded machine measured')
  await expect(lab.timeline.locator('canvas').first()).toBeVisible()
  await expect(page.getByTestId('explanation')).toContainText(/\d/)
  const { trace, report } = await lab.savedRun()
  expect(trace.spans.length).toBeGreaterThan(0)
  expect(report?.validity.valid).toBe(true)
  // The point of a recording is a real GPU.
  expect(report?.environment.isSoftware).toBe(false)
}
