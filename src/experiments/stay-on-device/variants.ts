/** Names of the variants. */

/** Every result stays on the device. */
export const RESIDENT = 'resident'
/** The results stay; the mean of each comes to the host. */
export const SCALAR_BACK = 'scalar-back'
/** Every result goes to the host and back. */
export const ROUND_TRIPS = 'round-trips'
