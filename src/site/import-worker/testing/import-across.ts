/** Page and import worker in one thread. Test code only. */
import { createImportClient } from '../client'
import type { ImportEvent, ImportProgress, ImportRequest, ImportSettings, ImportSource } from '../protocol'
import { answerImport } from '../read-trace'

/** Clones what crosses, and moves what is to be moved. */
class WorkerHere extends EventTarget {
  async postMessage(request: ImportRequest): Promise<void> {
    await answerImport(request, (event: ImportEvent, transfer = []) => {
      const data = structuredClone(event, { transfer: [...transfer] })
      this.dispatchEvent(new MessageEvent('message', { data }))
    })
  }
  terminate(): void {}
}

export async function importAcross(
  source: ImportSource,
  settings: ImportSettings = { origin: 'imported', gaps: 'of-devices' },
) {
  const said: ImportProgress[] = []
  const client = createImportClient(() => new WorkerHere() as unknown as Worker)
  const ending = await client.read(source, { ...settings, onProgress: (progress) => said.push(progress) })
  if (ending.status === 'cancelled') throw new Error('Nobody cancelled it.')
  return ending.status === 'failed'
    ? { said, fault: ending.fault, reading: null }
    : { said, fault: null, reading: { ...ending.opened, ...ending.found } }
}
