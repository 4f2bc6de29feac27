/**
 * Whether figures that are worked out from each other, or compared, have a common unit, told while the site is built: a time is never held
 * against a rate. Units are those of src/text/units.ts; a metric's is told by its name, as its declaration has it.
 */
import type { Condition } from '../../src/text/condition'
import { parseExpression, type Expression } from '../../src/text/expression'
import { bindExpression, type Recorded } from '../../src/text/recorded'
import type { Placeholder } from '../../src/text/template'
import {
  commonUnit,
  IN_MS,
  isPlain,
  productUnit,
  quotientUnit,
  unitOfFact,
  unitOfName,
  type Measure,
  type Unit,
} from '../../src/text/units'

const measure = (unit: Unit, isNothing = false): Measure => ({ unit: unit in IN_MS ? 'ms' : unit, isNothing })

/** @throws where its parts have no common unit */
function measureOf(expression: Expression): Measure {
  switch (expression.is) {
    case 'number':
      return measure(expression.unit, expression.value === 0)
    case 'metric':
      return measure(unitOfName(expression.name) ?? 'ratio')
    case 'fact':
      return measure(unitOfFact(expression.name))
    case 'recorded':
      throw new Error(`${expression.file}:${expression.figure} is not read yet.`)
    default: {
      const [a, b] = [measureOf(expression.of[0]), measureOf(expression.of[1])]
      const unit =
        expression.is === '*'
          ? productUnit(a.unit, b.unit)
          : expression.is === '/'
            ? (quotientUnit(a.unit, b.unit)?.unit ?? null)
            : commonUnit(a, b)
      if (unit === null) throw new Error(`${a.unit} ${expression.is} ${b.unit} is no figure.`)
      return measure(unit)
    }
  }
}

const inWords = ({ unit }: Measure): string => (isPlain(unit) ? 'a plain number' : unit)

/** @throws where what is compared has no common unit. Quotations are bound. */
export function checkCondition(condition: Condition): void {
  const of = (text: string) => measureOf(parseExpression(text))
  const check = (left: string, right: string) => {
    const [a, b] = [of(left), of(right)]
    if (commonUnit(a, b) === null)
      throw new Error(`'${left}' is ${inWords(a)} and '${right}' ${inWords(b)}: these are not compared.`)
  }
  switch (condition.op) {
    case 'all':
    case 'any':
      condition.of.forEach(checkCondition)
      break
    case 'not':
      checkCondition(condition.of)
      break
    case 'measured':
      of(condition.what)
      break
    case 'below':
    case 'overlaps':
      check(condition.left, condition.right)
      break
    case 'at-least':
    case 'less-than':
      check(condition.what, condition.bound)
      break
    default:
  }
}

/** @throws where a figure is of no unit, or its format is for another */
export function checkFigure({ expression, format }: Placeholder, recorded: Recorded): void {
  if (expression.startsWith('$')) return
  const found = measureOf(parseExpression(bindExpression(expression, recorded)))
  if (format === null) return
  // A number of a file that names no unit is in the one that is asked for.
  const isFit =
    format === 'times' || format === 'at-least' || format === 'idle' || format === 'about'
      ? isPlain(found.unit)
      : isPlain(found.unit) || measure(format).unit === found.unit
  if (!isFit) throw new Error(`'${expression}' is in ${found.unit}, and cannot be written as '${format}'.`)
}
