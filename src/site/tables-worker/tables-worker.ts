/** Makes one table off the page's thread. */
import { Tables } from '../../analysis/tables/tables'
import { toFault } from '../../base/fault'
import { workerScope } from '../../base/workers'
import type { TableAnswer, TableRequest } from './client'

const scope = workerScope<TableRequest, TableAnswer>()

scope.addEventListener('message', ({ data: { placed, kind, options } }) => {
  try {
    const tables = new Tables(placed, options)
    scope.postMessage({ table: tables.table(kind), peak: tables.walk.peak })
  } catch (thrown) {
    scope.postMessage({ fault: toFault(thrown) })
  }
})
