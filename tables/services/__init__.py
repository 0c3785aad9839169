"""What is done. Each public function is one transaction: lock, ask the rules, append, move chips, announce."""
