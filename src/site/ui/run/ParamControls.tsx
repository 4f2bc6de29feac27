/**
 * Controls made from an experiment's schema alone: the same schema that checks the URL and the
 * command line.
 */
import { scaleLinear, scaleLog } from 'd3-scale'
import { useId, type ReactNode } from 'react'
import type { NumberParam, Param, ParamValue, ParamValues } from '../../../experiments/experiment'
import { formatNumber, withUnit } from '../format'

interface ControlProps<P extends Param, V extends ParamValue> {
  readonly param: P
  readonly value: V
  readonly onChange: (value: V) => void
}

const SLIDER_STEPS = 100

/** Value to slider position; on a log scale equal distances are equal ratios. */
const scaleOf = ({ min, max, scale }: NumberParam) =>
  (scale === 'log2' && min > 0 ? scaleLog() : scaleLinear()).domain([min, max]).range([0, SLIDER_STEPS])

function fromPosition(param: NumberParam, position: number): number {
  const value = scaleOf(param).invert(position)
  const rounded = param.integer ? Math.round(value) : Number(value.toPrecision(2))
  return Math.min(param.max, Math.max(param.min, rounded))
}

const NumberControl = ({ param, value, onChange }: ControlProps<NumberParam, number>) => {
  const id = useId()
  return (
    <div className="control top stack-4">
      <label htmlFor={id}>{param.label}</label>
      <div className="control-number stack-8">
        <input
          id={id}
          type="range"
          min={0}
          max={SLIDER_STEPS}
          step={
            param.integer && param.max - param.min <= SLIDER_STEPS
              ? SLIDER_STEPS / (param.max - param.min)
              : 1
          }
          value={scaleOf(param)(value)}
          aria-valuetext={withUnit(formatNumber(value), param.unit)}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(fromPosition(param, event.target.valueAsNumber))}
        />
        <input
          type="number"
          aria-label={`${param.label}${param.unit === '' ? '' : ` in ${param.unit}`}`}
          min={param.min}
          max={param.max}
          step={param.integer ? 1 : 'any'}
          value={value}
          onChange={(event) => {
            const typed = event.target.valueAsNumber
            if (typed >= param.min && typed <= param.max && (!param.integer || Number.isInteger(typed)))
              onChange(typed)
          }}
        />
        <span className="control-unit quiet">{param.unit}</span>
      </div>
      <p id={`${id}-help`} className="control-help quiet small">
        {param.help}
      </p>
    </div>
  )
}

const ChoiceControl = (props: ControlProps<Extract<Param, { type: 'choice' }>, string>) => {
  const { param, value, onChange } = props
  const id = useId()
  return (
    <div className="control top stack-4">
      <label htmlFor={id}>{param.label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-help`}
        onChange={(event) => onChange(event.target.value)}
      >
        {param.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <p id={`${id}-help`} className="control-help quiet small">
        {param.help}
      </p>
    </div>
  )
}

const ListControl = ({
  param,
  value,
  onChange,
}: ControlProps<Extract<Param, { type: 'list' }>, readonly string[]>) => (
  <fieldset className="control top stack-4">
    <legend>{param.label}</legend>
    <div className="control-list cluster-4-20">
      {param.options.map((option) => {
        const on = value.includes(option.value)
        return (
          <label key={option.value} className="control-check row">
            <input
              type="checkbox"
              checked={on}
              // Where one is needed, the last that is left cannot be taken away.
              disabled={on && value.length === 1 && param.default.length > 0}
              onChange={(event) => {
                const kept = new Set(value)
                if (event.target.checked) kept.add(option.value)
                else kept.delete(option.value)
                onChange(param.options.map((each) => each.value).filter((each) => kept.has(each)))
              }}
            />
            {option.label}
          </label>
        )
      })}
    </div>
    <p className="control-help quiet small">{param.help}</p>
  </fieldset>
)

export interface ParamControlsProps {
  readonly params: readonly Param[]
  readonly values: ParamValues
  readonly onChange: (name: string, value: ParamValue) => void
}

function control(param: Param, values: ParamValues, onChange: ParamControlsProps['onChange']): ReactNode {
  const change = (value: ParamValue) => onChange(param.name, value)
  const value = values[param.name] ?? param.default
  switch (param.type) {
    case 'number':
      return <NumberControl key={param.name} param={param} value={Number(value)} onChange={change} />
    case 'choice':
      return <ChoiceControl key={param.name} param={param} value={String(value)} onChange={change} />
    case 'list':
      return (
        <ListControl
          key={param.name}
          param={param}
          value={typeof value === 'object' ? value : param.default}
          onChange={change}
        />
      )
  }
}

export const ParamControls = ({ params, values, onChange }: ParamControlsProps) => (
  <div className="controls stack">{params.map((param) => control(param, values, onChange))}</div>
)
