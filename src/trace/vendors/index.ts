/** All vendors' tables, asked as one: their words differ, so the first that knows one is right. */
import { ascend } from './ascend'
import { cuda } from './cuda'
import { jax } from './jax'
import { mtia } from './mtia'
import { rocm } from './rocm'
import {
  CALL,
  KERNEL,
  MEMSET,
  OTHER,
  type CallRow,
  type CallUse,
  type CopyArguments,
  type EventClass,
  type Vendor,
} from './vendor'
import { xpu } from './xpu'

const VENDORS: readonly Vendor[] = [cuda, rocm, xpu, mtia, ascend, jax]

const CLASSES = new Map(VENDORS.flatMap(({ categories }) => Object.entries(categories)))

export const isLaunchArrow = (category: string): boolean =>
  VENDORS.some(({ arrows }) => arrows?.includes(category) === true)

export const classOfCategory = (category: string): EventClass => CLASSES.get(category.toLowerCase()) ?? OTHER

export const isDeviceWork = (group: EventClass): boolean => group >= KERNEL && group <= MEMSET
export const isOnHost = (group: EventClass): boolean => group >= CALL

/** What work of a device is, of which no more is known than its name. */
export function classOfWork(name: string): EventClass {
  for (const { work = [] } of VENDORS)
    for (const [pattern, group] of work) if (pattern.test(name)) return group
  return KERNEL
}

/**
 * A process that its name says something of. `work`: names of its threads with a device's work;
 * null: it is the host.
 */
export function processOf(name: string) {
  for (const vendor of VENDORS) {
    const device = vendor.devices?.find(({ process }) => process.test(name))
    if (device) return { vendor, work: device.work }
    if (vendor.host?.test(name) === true) return { vendor, work: null }
  }
  return null
}

/** Of a name that is one of a call; null: no table knows it. */
export function callRowOf(name: string): CallRow | null {
  for (const { calls } of VENDORS) for (const row of calls) if (row.name.test(name)) return row
  return null
}

/** Whether a name alone says that it is a call of a runtime. */
export const isCall = (name: string): boolean => VENDORS.some(({ call }) => call.test(name))

export const callUseOf = (name: string): CallUse =>
  callRowOf(name)?.use ?? (/launch/i.test(name) ? 'launch' : 'other')

/** A copy as CUDA names it; null: it has that name, or the file does not say more. */
export function copyNameOf(name: string, said: CopyArguments): string | null {
  for (const { copyName } of VENDORS) {
    const found = copyName?.(name, said) ?? null
    if (found !== null) return found
  }
  return null
}

export * from './vendor'
