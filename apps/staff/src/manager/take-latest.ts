/**
 * Handles responses that arrive out of order because requests were repeated. Call the returned function for each request: it
 * returns a function that accepts the response, unless a later request's response was already accepted.
 */
export function takeLatest<T>(take: (answer: T) => void): () => (answer: T) => void {
  let asked = 0;
  let taken = 0;
  return () => {
    asked += 1;
    const own = asked;
    return (answer) => {
      if (own < taken) return;
      taken = own;
      take(answer);
    };
  };
}
