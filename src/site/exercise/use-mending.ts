/** The stores of mends, made when the first mend is opened: their code comes with its screen, and not with the first page. */
import { createMendCodeStore, type MendCodeStore } from '../state/mend-code'
import { createMendStore, type MendStore } from './store'
import { useLab, type Lab } from '../ui/lab-context'

interface Mending {
  /** Grading of learners' programs. */
  readonly mends: MendStore
  /** The programs as they were written. */
  readonly mendCode: MendCodeStore
}

/** As long-lived as the page. */
const made = new WeakMap<Lab, Mending>()

export function useMending(): Mending {
  const lab = useLab()
  const known = made.get(lab)
  if (known) return known
  const { localStore, tab, ...parts } = lab.mendParts
  const mending = { mends: createMendStore(parts), mendCode: createMendCodeStore(localStore, tab) }
  made.set(lab, mending)
  return mending
}
