/** While a file is read: how far it is, and the way out. */
import type { FileProgress } from '../../import-worker/as-run'
import './import.css'

export const ImportBar = ({
  file: { name, progress },
  doing = 'Opening',
  onCancel,
}: {
  readonly file: FileProgress
  readonly doing?: string
  readonly onCancel: () => void
}) => (
  <div className="import-bar passage panel breaks stack-8 no-print" data-testid="reading">
    <p>
      {doing} <strong>{name}</strong>
    </p>
    <div className="run-bar cluster-8-12">
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
      <progress className="run-progress" max={1} value={progress.fraction} aria-label="Progress of reading" />
      <span className="tabular small quiet" role="status">
        {progress.phase}
      </span>
    </div>
  </div>
)
