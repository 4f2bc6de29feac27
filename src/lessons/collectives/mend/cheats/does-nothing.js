// Fails 'output': returns at once.
export default async function () {}
