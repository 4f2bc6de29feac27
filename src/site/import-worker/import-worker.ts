/** Reads one file, or those of several ranks, off the page's thread. */
import { inBackground } from '../state/in-background'
import { workerScope } from '../../base/workers'
import type { ImportEvent, ImportRequest } from './protocol'
import { answerImport } from './read-trace'

const scope = workerScope<ImportRequest, ImportEvent>()

scope.addEventListener('message', ({ data }) =>
  inBackground(answerImport(data, (event, transfer = []) => scope.postMessage(event, [...transfer]))),
)
