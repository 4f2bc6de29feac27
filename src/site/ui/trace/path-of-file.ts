/** The critical path of a file as the import worker followed it, for the timeline. */
import { useCallback } from 'react'
import type { DrawnPath } from '../../../analysis/types'
import type { FoundFacts, RanksDigest } from '../../import-worker/protocol'
import { useLab } from '../lab-context'

/** The same function while the file is the same. @param isReading more is being found */
export function usePathOfFile(
  found: FoundFacts | null,
  ranks: RanksDigest | null,
  isReading: boolean,
): () => Promise<DrawnPath> {
  const { tools } = useLab()
  const isJoined = (ranks?.ranks.count ?? 0) > 1
  return useCallback(
    async (): Promise<DrawnPath> =>
      found && !isJoined
        ? await tools.readPath(found.path)
        : {
            parts: [],
            problems: [
              isJoined
                ? 'It is not followed across ranks: open the file of one rank for its own.'
                : isReading
                  ? 'It is still being followed.'
                  : 'Reading was stopped before it was followed.',
            ],
          },
    [tools, found, isReading, isJoined],
  )
}
