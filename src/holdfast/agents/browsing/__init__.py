"""What the browser agent is made of: what it heard, what is ordered, the small web, tabs, errands and answers."""
