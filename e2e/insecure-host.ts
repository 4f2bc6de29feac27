/** A name that the tests' browser finds this machine by: over http it is no secure context, and has no WebGPU. */
export const INSECURE_HOST = 'insecure.test'
