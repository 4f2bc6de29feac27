/** Writes one file off the page's thread. Whatever goes wrong is said as a fault. */
import { workerScope } from '../../base/workers'
import { toFault } from '../../base/fault'
import { writeFile } from './formats'
import type { ExportEvent, ExportRequest } from './formats'

const scope = workerScope<ExportRequest, ExportEvent>()

scope.addEventListener('message', ({ data: { kind, trace, report } }) => {
  writeFile(kind, { trace, report }).then(
    (file) => scope.postMessage({ type: 'done', file }),
    (thrown: unknown) => scope.postMessage({ type: 'failed', fault: toFault(thrown) }),
  )
})
