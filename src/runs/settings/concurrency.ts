/** Episodes or questions at once: each of them needs memory and a connection. */
export const mostAtOnce = 4096;
