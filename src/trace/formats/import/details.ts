/**
 * What a profile recorded of operators and kernels beyond their times (`DetailColumns` in
 * ../../schema.ts), read as it stands.
 */
import type { NewDetail } from '../../builder'
import { KERNEL, type EventClass } from '../../vendors'
import { ArgumentReader, type EventFile } from './event-reader'
import { ascii, equals, type JsonCursor } from './json-cursor'

const OPERATOR_KEYS = {
  shape: ascii('Input Dims'),
  form: ascii('Input type'),
  values: ascii('Concrete Inputs'),
}
const KERNEL_KEYS = { shape: ascii('grid'), form: ascii('block'), values: ascii('') }
/** Operators whose work their tensors' sizes alone do not tell. */
const NEEDS_VALUES = /conv|attention/i
/** Shapes are recorded of all operators or of none: after so many without, no more are asked. */
const ASKED = 2000

export class DetailReader {
  readonly #file: EventFile
  readonly #reader: ArgumentReader
  #operators = 0
  #found = 0
  #keys: Readonly<Record<'shape' | 'form' | 'values', Uint8Array>> = OPERATOR_KEYS
  /** By category: Python functions, which are most rows and have none of this. */
  readonly #isPython: boolean[] = []
  #hasValues = false
  /** Texts of the row that is read. */
  readonly #text = { shape: 0, form: 0, values: 0 }

  constructor(file: EventFile) {
    this.#file = file
    this.#reader = new ArgumentReader(file)
  }

  /** @param group a kernel or an operator; null where nothing is recorded of it */
  read(row: number, group: EventClass, name: string, span: number): NewDetail | null {
    const isKernel = group === KERNEL
    if (!isKernel) {
      const category = this.#file.events.columns.category[row] ?? 0
      if ((this.#isPython[category] ??= this.#file.texts.text(category) === 'python_function')) return null
      if (this.#found === 0 && this.#operators >= ASKED) return null
      this.#operators += 1
    }
    this.#keys = isKernel ? KERNEL_KEYS : OPERATOR_KEYS
    const text = this.#text
    this.#hasValues = !isKernel && NEEDS_VALUES.test(name)
    text.shape = text.form = text.values = 0
    this.#reader.each(row, this.#visit)
    if (text.shape === 0) return null
    if (!isKernel) this.#found += 1
    const { texts } = this.#file
    return {
      span,
      shape: texts.text(text.shape),
      form: texts.text(text.form),
      values: texts.text(text.values),
    }
  }

  readonly #visit = ({ bytes, keyStart, keyEnd, start, stop }: JsonCursor): void => {
    const { shape, form, values } = this.#keys
    const { texts } = this.#file
    if (equals(bytes, keyStart, keyEnd, shape)) this.#text.shape = texts.intern(start, stop)
    else if (equals(bytes, keyStart, keyEnd, form)) this.#text.form = texts.intern(start, stop)
    else if (this.#hasValues && equals(bytes, keyStart, keyEnd, values))
      this.#text.values = texts.intern(start, stop)
  }
}
