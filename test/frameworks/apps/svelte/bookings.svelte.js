function createBookings() {
  let all = $state([{ id: 1, name: 'Berta', price: 95 }]);
  return {
    get all() {
      return all;
    },
    add(booking) {
      all.push({ id: Math.max(0, ...all.map(each => each.id)) + 1, name: booking.name, price: booking.price });
    },
    cancel(id) {
      all = all.filter(booking => booking.id !== id);
    },
  };
}

export const bookings = createBookings();
export const countries = new Promise(resolve => setTimeout(resolve, 60, ['Austria', 'Chile', 'Ghana', 'Japan']));
