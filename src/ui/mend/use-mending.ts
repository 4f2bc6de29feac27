/** The stores of mends, made when the first mend is opened: their code comes with its screen, and not with the first page. */
import { createMendCodeStore, type MendCodeStore } from '../../state/mend-code'
import { createMendStore, type MendStore } from '../../state/mend-store'
import { createMendTypedStore, type MendTypedStore } from '../../state/mend-typed'
import { createMendWaysStore, type MendWaysStore } from '../../state/mend-ways'
import { useLab, type Lab } from '../lab-context'

interface Mending {
  /** Grading of learners' programs. */
  readonly mends: MendStore
  /** The programs as they were written. */
  readonly mendCode: MendCodeStore
  /** What the model says of them while they are typed. */
  readonly mendTyped: MendTypedStore
  /** Other ways than the lab's own, when they are opened. */
  readonly mendWays: MendWaysStore
}

/** As long-lived as the page. */
const made = new WeakMap<Lab, Mending>()

export function useMending(): Mending {
  const lab = useLab()
  const known = made.get(lab)
  if (known) return known
  const { localStore, tab, ...parts } = lab.mendParts
  const mends = createMendStore(parts)
  const mendCode = createMendCodeStore(localStore, tab)
  // A grading looks at its device before it measures.
  const isMeasuring = async () => mends.store.getState().phase === 'running' || (await parts.isMeasuring())
  const mendTyped = createMendTypedStore({ ...parts, isMeasuring }, mendCode)
  const mendWays = createMendWaysStore({ ...parts, isMeasuring })
  const mending = { mends, mendCode, mendTyped, mendWays }
  made.set(lab, mending)
  return mending
}
