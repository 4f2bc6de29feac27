/**
 * Parameters, as a meta.ts writes them: name, label, help in one sentence, then what differs from
 * the usual. Pure.
 */
import type { ChoiceParam, ListParam, NumberParam, Option } from '../experiment'

/** A parameter is behind 'more', unless it is the control that a lesson's steps show. */
const PLACE = 'more'

type Except<P, Given extends string> = Omit<P, 'type' | 'name' | 'label' | 'help' | Given>
type More<P, Usual extends keyof P, Given extends string = never> = Except<P, Given | (Usual & string)> &
  Partial<Pick<P, Usual>>

/** An integer, in a linear range, unless it says otherwise. */
export const number = <const Name extends string>(
  name: Name,
  label: string,
  help: string,
  more: More<NumberParam, 'place' | 'integer' | 'unit' | 'scale'>,
): NumberParam<Name> => ({
  type: 'number',
  name,
  label,
  help,
  place: PLACE,
  integer: true,
  unit: '',
  scale: 'linear',
  ...more,
})

/**
 * Values with their labels, in the order shown. Integers come first in a record, whatever its
 * order: a list of values keeps it.
 */
export type Options<Value extends string> = Readonly<Record<Value, string>> | readonly Value[]

function optionsOf<Value extends string>(options: Options<Value>): readonly Option<Value>[] {
  // Object.keys gives string[] although the record has no others than these.
  const values = (Array.isArray(options) ? options : Object.keys(options)) as readonly Value[]
  const labels = Array.isArray(options) ? null : (options as Readonly<Record<Value, string>>)
  return values.map((value) => ({ value, label: labels?.[value] ?? value }))
}

/** One of some values; the first where nothing else is chosen. */
export function choice<const Name extends string, const Value extends string>(
  name: Name,
  label: string,
  help: string,
  options: Options<Value>,
  more: Partial<Except<ChoiceParam<Name, NoInfer<Value>>, 'options'>> = {},
): ChoiceParam<Name, Value> {
  const all = optionsOf(options)
  const [first] = all
  if (!first) throw new Error(`Parameter '${name}' has no options.`)
  return { type: 'choice', name, label, help, place: PLACE, default: first.value, options: all, ...more }
}

/** A set of values; it may be empty where the default is. */
export const list = <const Name extends string, const Value extends string>(
  name: Name,
  label: string,
  help: string,
  options: Options<Value>,
  more: More<ListParam<Name, NoInfer<Value>>, 'place', 'options'>,
): ListParam<Name, Value> => ({
  type: 'list',
  name,
  label,
  help,
  place: PLACE,
  options: optionsOf(options),
  ...more,
})
