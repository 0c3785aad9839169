"""What everything stands on: clock and calendar, chance, rights, transactions, announcements."""
