/** The store of fuel of a mend's kernels: opened before the program, read after each run of it. */
import { USAGE, type RunContext } from '../../gpu'
import { FuelStore, PRICES_BYTES, STORE_BYTES, type FuelStoreOptions } from '../budget/fuel-store'
import { readAll } from './shader'

export async function openFuel(
  context: RunContext,
  options: Omit<FuelStoreOptions, 'device' | 'store' | 'prices'>,
): Promise<FuelStore> {
  const store = await context.buffer('fuel', STORE_BYTES, USAGE.storage | USAGE.copySrc | USAGE.copyDst)
  const prices = await context.buffer('prices of fuel', PRICES_BYTES, USAGE.uniform | USAGE.copyDst)
  return new FuelStore({ ...options, device: context.device.gpu, store: store.gpu, prices: prices.gpu })
}

/** Lines of the loops that found it empty, from 1, in the WGSL of the program. */
export const ranOutOf = async (context: RunContext, store: FuelStore): Promise<readonly number[]> =>
  store.isUnused ? [] : store.linesOf(await readAll(context, store.buffer, STORE_BYTES / 4))
