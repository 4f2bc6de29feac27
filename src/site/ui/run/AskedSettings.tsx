/** Settings that an address asks for, and the press that runs them here. Nothing runs before it. */
import { formatParam, type ExperimentMeta, type ParamValues } from '../../../experiments/experiment'
import { withUnit } from '../format'
import { Quantities } from '../prose/Inline'

export function settingsText(meta: ExperimentMeta, names: readonly string[], values: ParamValues): string {
  return meta.params
    .filter(({ name }) => names.includes(name))
    .map((param) => {
      const value = values[param.name] ?? param.default
      const text = formatParam(value)
      return `${param.label} ${param.type === 'number' ? withUnit(text, param.unit) : text}`
    })
    .join('; ')
}

export const AskedSettings = ({
  words,
  settings,
  onRun,
}: {
  readonly words: string
  /** '' where none differ. */
  readonly settings: string
  readonly onRun: () => void
}) => (
  <div className="notice asked-settings cluster-8-16" role="note" data-testid="asked-settings">
    <p>
      {words}
      {settings !== '' && (
        <>
          {': '}
          <Quantities text={settings} />.
        </>
      )}
    </p>
    <button type="button" className="button button-small" onClick={onRun}>
      Run it on your machine
    </button>
  </div>
)
