/**
 * 'The same in PyTorch on CUDA': profiles that torch.profiler recorded, in the same timeline, by the same analysis, beside the reader's own
 * figures. Every figure is worked out from the file when it is loaded; this part and the files are loaded when first opened.
 */
import { useCallback, useState } from 'react'
import type { Quote } from '../../../experiments/declare/quote'
import type { CudaSide as CudaWords } from '../../../lessons/lesson'
import type { Profile } from '../../state/profile'
import type { AreaSelection } from '../../../timeline'
import { FaultNotice } from '../FaultNotice'
import { useLab } from '../lab-context'
import { Inline } from '../prose/Inline'
import { Prose } from '../prose/Prose'
import { TimelinePane } from '../timeline/TimelinePane'
import { useProfiles } from './cuda-loading'
import { CudaBeside, CudaFindings } from './CudaFindings'
import './cuda-side.css'

const Drawn = ({ profile }: { readonly profile: Profile }) => {
  const { tools } = useLab()
  const { placed, gaps } = profile
  const sums = useCallback((area: AreaSelection) => tools.sumArea(placed, area), [tools, placed])
  const findPath = useCallback(() => tools.drawnPath(placed), [tools, placed])
  return (
    <TimelinePane
      placed={placed}
      gaps={gaps}
      live={false}
      nowNs={placed.endOfAllNs}
      sums={sums}
      findPath={findPath}
    />
  )
}

export interface CudaSideProps {
  readonly words: CudaWords
  /** The reader's run, once it is done; null before. */
  readonly own: Quote | null
}

export const CudaSide = ({ words, own }: CudaSideProps) => {
  const { profiles, script, compared } = words
  const loaded = useProfiles(profiles)
  const [chosenId, setChosenId] = useState(profiles[0]?.id ?? '')
  const chosen = profiles.find(({ id }) => id === chosenId)
  const result = loaded[chosenId]
  return (
    <div className="stack-16" data-testid="cuda-side">
      <div className="button-row no-print" role="group" aria-label="Which recording is drawn">
        {profiles.map(({ id }) => (
          <button
            key={id}
            type="button"
            className="button button-small cuda-choice"
            aria-pressed={id === chosenId}
            onClick={() => {
              setChosenId(id)
            }}
          >
            {id}
          </button>
        ))}
      </div>
      {chosen && (
        <p>
          <strong>{chosen.id}:</strong> <Inline text={chosen.does} />{' '}
        </p>
      )}
      {!result && <p className="quiet">Loading the recording.</p>}
      {result && 'reason' in result && (
        <FaultNotice
          fault={{
            code: 'file',
            message: `The recorded profile could not be loaded: ${result.reason.replace(/\.$/, '')}.`,
            hint: 'Check the connection and open it again. The text of the lesson does not need it.',
          }}
        />
      )}
      {result && 'profile' in result && (
        <>
          <Drawn key={chosenId} profile={result.profile} />
          <p className="small quiet">
            {[
              result.profile.origin.software === ''
                ? ''
                : `${result.profile.origin.software}, as the file says.`,
              result.profile.lanesLeftOut.length === 0
                ? ''
                : `Left out here are ${String(result.profile.lanesLeftOut.length)} lanes of the profiler’s own.`,
            ].join(' ')}
          </p>
          <CudaFindings profile={result.profile} />
        </>
      )}
      <CudaBeside profiles={profiles} loaded={loaded} own={own} />
      <Prose text={compared} />
      <p className="small">
        On a machine with CUDA and PyTorch: <a href={`companion/${script}`}>{script}</a> and{' '}
        <a href="companion/profiling.py">profiling.py</a> in one folder, then{' '}
        <code>python3 {script} traces/</code>. It checks its results against float64 and writes these files
        anew: <code>npm run lab -- analyze</code> reads them.
      </p>
    </div>
  )
}
