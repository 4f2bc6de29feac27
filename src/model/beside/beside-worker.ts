/** Runs what was measured once more, on a card of the model: the same programs, sized as they were. */
import { workerScope } from '../../base/worker-scope'
import type { BesideAnswer, BesideRequest } from './protocol'
import { besideOf } from './run-beside'

const scope = workerScope<BesideRequest, BesideAnswer>()
scope.addEventListener('message', ({ data }) => {
  besideOf(data).then(
    (answer) => {
      scope.postMessage(answer)
    },
    (bug: unknown) => {
      scope.postMessage({ why: `The model failed: ${bug instanceof Error ? bug.message : String(bug)}` })
    },
  )
})
